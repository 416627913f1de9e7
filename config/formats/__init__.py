"""How dates and times are written: the same everywhere on the site, a module a language, in place of Django's own."""
