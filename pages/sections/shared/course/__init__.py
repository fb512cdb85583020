"""The twelve lessons of the course, for the page that teaches them and for the wall of a class."""
