"""One file a lesson."""
