"""Parts of the Function lab."""
