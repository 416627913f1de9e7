"""Programs that make things the project keeps; nothing here runs on the site."""
