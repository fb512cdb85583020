"""What a receiver will be able to say, from public settings, before anything is drawn."""
