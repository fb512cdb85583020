"""All figures of a release together: as rows, sentences, a page and a script."""
