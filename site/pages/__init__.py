"""Pages of the site that no file in docs/ contains: each module makes some, as a mapping from a page to its Markdown."""
