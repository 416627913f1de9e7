"""Streams: open pages and programs are told at once that a game has moved on, by server-sent events.

What is sent is how far a game is, a number; what happened is asked for as ever, by whoever may see it. The web and the
workers publish on a channel of Redis (:mod:`~config.streams.publisher`), one small ASGI process passes it on
(:mod:`~config.streams.asgi`) to whom a signed ticket opens it (:mod:`~config.streams.tickets`). Nothing depends on it:
where it isn't, or breaks, pages poll, and a stream that missed something reads the database.
"""
