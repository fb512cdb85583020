"""The paper, run again: what is asked, the run, and the tables and pictures of it."""
