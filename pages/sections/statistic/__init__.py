"""The steps of the page that releases one statistic."""
