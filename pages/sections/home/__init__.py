"""Parts of the Home page."""
