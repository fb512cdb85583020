"""What every page shares: the frame, state, widgets, charts, wording and colours."""
