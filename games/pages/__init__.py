"""The site's HTML pages."""
