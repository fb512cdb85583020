"""Maximum likelihood of true values, with the exact probabilities of the released ones."""
