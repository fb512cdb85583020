"""The teacher's room: its question, the wall, and what can be done with it."""
