"""What every endpoint of the HTTP API has in common: who asks and with which right, errors, limits, pages of lists."""
