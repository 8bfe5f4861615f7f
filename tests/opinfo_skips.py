"""Entries of the operator database that are not counted, each with its reason. At most 14."""

SKIPPED: dict[str, str] = {
    "chalf": "gives complex32, which XLA has not",
    "to_sparse": "gives a sparse tensor; the device has strided ones only",
}
