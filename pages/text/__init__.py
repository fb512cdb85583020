"""Words and numbers as the pages write them."""
