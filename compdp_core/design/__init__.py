"""Designs: the density, its laws, its exact privacy loss, and the search for the best one."""
