"""What the lessons compute: one worked example each, of public or invented numbers alone."""
