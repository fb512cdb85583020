"""The views, one file a page, and what they are made of."""
