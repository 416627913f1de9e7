"""The thread: the only writer of events. Append, load, verify, rebuild."""
