"""What several pages are made of: the table at hand, its rows and columns, the budget."""
