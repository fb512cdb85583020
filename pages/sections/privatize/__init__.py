"""The steps of the Privatize page."""
