"""What stands around every page: its frame, menu, panels, address and style sheet."""
