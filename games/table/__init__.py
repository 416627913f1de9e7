"""A game at the table: seats, the course of events, and what may be decided. Pure Python over the engine."""
