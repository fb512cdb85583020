"""The command line: ``python -m compdp_core``, or ``compdp`` where the library is installed."""
