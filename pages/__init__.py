"""The views, one file a page, and the furniture they share."""
