"""Controls: numbers, bounds, mechanisms, and settings as links and files."""
