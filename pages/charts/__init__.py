"""Charts and tables of numbers, with the look that all of them share."""
