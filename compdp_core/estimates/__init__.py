"""What the receiver of a released table can estimate from it and its card, at no privacy cost."""
