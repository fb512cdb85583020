"""How the lessons draw their examples."""
