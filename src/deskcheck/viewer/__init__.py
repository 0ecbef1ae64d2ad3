"""TBD by its owner."""
