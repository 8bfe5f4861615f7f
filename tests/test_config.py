"""Flags: from the environment, by `set`, for the length of a block; and the log topics that two of them switch on."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator

import pytest

import lazymlir
from lazymlir.config import FLAGS, LOG_TOPICS, Config
from lazymlir.errors import CompileError, ConfigError, FallbackError, LazymlirError
from lazymlir.logs import enabled, log


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> Config:
    """A configuration of its own, in an environment without flags."""
    for flag in FLAGS.values():
        monkeypatch.delenv(flag.variable, raising=False)
    return Config()


@pytest.fixture
def shared() -> Iterator[Config]:
    """The process's configuration, given back as it was."""
    from lazymlir.config import config

    with config():
        before = config.get()
        yield config
        config.set(**before)


def test_defaults_hold_where_nothing_is_set(config: Config) -> None:
    assert config.get() == {flag.name: flag.default for flag in FLAGS.values()}
    assert (config.max_trace, config.cache_size, config.fallback, config.verify) == (2000, 1024, "warn", False)


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("LAZYMLIR_PLATFORM", "CPU", "platform", "cpu"),
        ("LAZYMLIR_PLATFORM", "", "platform", ""),
        ("LAZYMLIR_CACHE_SIZE", "16", "cache_size", 16),
        ("LAZYMLIR_MAX_TRACE", " 50 ", "max_trace", 50),
        ("LAZYMLIR_FALLBACK", "error", "fallback", "error"),
        ("LAZYMLIR_DEBUG", "5", "debug", 5),
        ("LAZYMLIR_LOGS", "syncs, recompiles,", "logs", ("recompiles", "syncs")),
        ("LAZYMLIR_LOGS", "all", "logs", LOG_TOPICS),
        ("LAZYMLIR_DUMP", "dumps/some folder", "dump", "dumps/some folder"),
        ("LAZYMLIR_VERIFY", "0", "verify", False),
        ("LAZYMLIR_VERIFY", "Yes", "verify", True),
        ("LAZYMLIR_PASSES", "cse,lazy-donate", "passes", "cse,lazy-donate"),
    ],
)
def test_the_environment_is_read_at_first_use(
    config: Config, monkeypatch: pytest.MonkeyPatch, variable: str, text: str, name: str, value: object
) -> None:
    monkeypatch.setenv(variable, text)
    assert getattr(config, name) == value
    monkeypatch.setenv(variable, "ignored from now on")
    assert getattr(config, name) == value


@pytest.mark.parametrize(
    ("variable", "text", "accepted"),
    [
        ("LAZYMLIR_PLATFORM", "metal", "cpu, cuda, tpu or nothing"),
        ("LAZYMLIR_CACHE_SIZE", "many", "a whole number of at least 1"),
        ("LAZYMLIR_CACHE_SIZE", "0", "a whole number of at least 1"),
        ("LAZYMLIR_MAX_TRACE", "1e3", "a whole number of at least 1"),
        ("LAZYMLIR_FALLBACK", "silent", "warn or error"),
        ("LAZYMLIR_DEBUG", "6", "a whole number from 0 to 5"),
        ("LAZYMLIR_LOGS", "syncs,sinks", "a list of recompiles, fallbacks, syncs, passes, cache, steady or all"),
        ("LAZYMLIR_VERIFY", "2", "true or false"),
    ],
)
def test_a_bad_value_is_named_with_what_is_accepted(config: Config, monkeypatch: pytest.MonkeyPatch, variable: str, text: str, accepted: str) -> None:
    monkeypatch.setenv(variable, text)
    for _ in range(2):
        with pytest.raises(ConfigError) as caught:
            _ = config.max_trace
        message = str(caught.value)
        assert f"{variable}={text!r} is not accepted" in message
        assert accepted in message
    monkeypatch.delenv(variable)
    assert config.max_trace == 2000


def test_an_unknown_variable_is_warned_of_once(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAZYMLIR_MAXTRACE_", "3")
    with pytest.warns(UserWarning, match=r"LAZYMLIR_MAXTRACE_ is no flag of lazymlir; did you mean LAZYMLIR_MAX_TRACE\?"):
        _ = config.max_trace
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        config.reset()
        assert Config().max_trace == config.max_trace == 2000


def test_set_checks_everything_before_it_sets_anything(config: Config) -> None:
    config.set(max_trace=7, fallback="error")
    assert (config.max_trace, config.fallback) == (7, "error")
    with pytest.raises(ConfigError, match="cache_size='x' is not accepted"):
        config.set(max_trace=8, cache_size="x")
    with pytest.raises(ConfigError, match=r"no flag 'max_trase'; did you mean max_trace\?"):
        config.set(max_trase=8)
    with pytest.raises(ConfigError, match="max_trace=True is not accepted"):
        config.set(max_trace=True)
    assert config.max_trace == 7
    config.max_trace = 9
    assert config.max_trace == 9


def test_an_unknown_attribute_is_an_attribute_error(config: Config) -> None:
    with pytest.raises(AttributeError, match=r"no flag 'max_trase'; did you mean max_trace\?"):
        _ = config.max_trase
    assert not hasattr(config, "something")


def test_a_block_sets_and_gives_back(config: Config) -> None:
    config.set(max_trace=7)
    with config(max_trace=100, debug=2) as inside:
        assert inside is config
        assert (config.max_trace, config.debug) == (100, 2)
        with config(max_trace=200):
            assert config.max_trace == 200
        assert config.max_trace == 100
    assert (config.max_trace, config.debug) == (7, 0)
    with pytest.raises(RuntimeError), config(max_trace=1):
        raise RuntimeError
    assert config.max_trace == 7


def test_the_cache_key_follows_the_flags_that_change_programs(config: Config) -> None:
    before = config.cache_key
    config.set(debug=1, max_trace=5, cache_size=2)
    assert config.cache_key == before
    with config(passes="cse"):
        assert config.cache_key != before
    assert config.cache_key == before


def test_reading_a_flag_is_an_attribute_access(config: Config) -> None:
    assert config.max_trace == 2000
    assert {"max_trace", "cache_key"} <= set(vars(config))


def test_threads_that_read_at_first_use_see_one_set_of_values(config: Config) -> None:
    seen: list[dict[str, object]] = []
    threads = [threading.Thread(target=lambda: seen.append(config.get())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [config.get()] * 8


def test_the_package_attribute_is_usable_whichever_was_imported_first(shared: Config) -> None:
    program = (
        "import lazymlir{}; lazymlir.config.set(max_trace=3); from lazymlir.config import config; print(lazymlir.config.max_trace, config.max_trace)"
    )
    for late in ("", ", lazymlir.config"):
        done = subprocess.run([sys.executable, "-c", program.format(late)], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["3", "3"]
    with lazymlir.config(max_trace=11):
        assert lazymlir.config.max_trace == shared.max_trace == 11


def test_the_exceptions_have_one_base() -> None:
    assert all(issubclass(error, LazymlirError) for error in (ConfigError, CompileError, FallbackError))
    assert issubclass(FallbackError, RuntimeError)
    assert all(error.__doc__ for error in (LazymlirError, ConfigError, CompileError, FallbackError))


# Logs.


def test_nothing_is_logged_unless_asked_for(shared: Config, capsys: pytest.CaptureFixture[str]) -> None:
    shared.set(debug=0, logs=())
    for level in range(1, 6):
        log("cache", level, "no")
    assert capsys.readouterr().err == ""
    log("cache", 0, "a %s", "warning")
    assert capsys.readouterr().err == "lazymlir.cache: a warning\n"


def test_debug_shows_all_topics_up_to_its_level(shared: Config, capsys: pytest.CaptureFixture[str]) -> None:
    shared.set(debug=2, logs=())
    for level in range(1, 6):
        log("syncs", level, "level %d", level)
    assert capsys.readouterr().err == "lazymlir.syncs: level 1\nlazymlir.syncs: level 2\n"


def test_a_topic_is_shown_in_full(shared: Config, capsys: pytest.CaptureFixture[str]) -> None:
    shared.set(debug=0, logs="recompiles")
    log("recompiles", 5, "yes")
    log("syncs", 1, "no")
    assert capsys.readouterr().err == "lazymlir.recompiles: yes\n"
    assert enabled("recompiles", 5)
    assert not enabled("syncs", 1)


def test_a_program_can_take_the_messages_over(shared: Config, capsys: pytest.CaptureFixture[str]) -> None:
    shared.set(debug=1)
    seen: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("lazymlir.passes")
    logger.addHandler(handler)
    logger.propagate = False
    try:
        log("passes", 1, "100 %% of %s", "all")
    finally:
        logger.removeHandler(handler)
        logger.propagate = True
    assert seen == ["100 % of all"]
    assert capsys.readouterr().err == ""
