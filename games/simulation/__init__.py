"""Months of play on an injected clock, with everything that goes wrong, and a check of what people were told."""
