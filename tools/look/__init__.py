"""How Clew's own pictures are drawn: pips, ranks, courts, game pictures and icons, as plain SVG text."""
