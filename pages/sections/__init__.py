"""What the pages are made of: a package for each page's key, and what several pages share."""
