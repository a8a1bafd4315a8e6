"""Pages of the site that are no files of docs/: each module makes some, as a mapping from places to Markdown."""
