"""What lives as long as a visitor: state, ledger, jobs, downloads, refusals on the screen."""
