"""The tests. A regular package, since an installed library brings a `tests` of its own."""
