"""A released file and its card as a receiver has them: opened, checked, proved again."""
