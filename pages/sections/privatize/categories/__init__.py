"""Steps 3 to 6 of Privatize for columns that hold one of a list of answers."""
