"""Entries of the operator database that are not counted, each with its reason. At most 14."""

SKIPPED: dict[str, str] = {
    "chalf": "gives complex32, which XLA has not",
}
