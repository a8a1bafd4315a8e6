# The fenced block of a Markdown page whose first line is ```KIND (-v kind=KIND).
/^```/ { inside = $0 == "```" kind; next }
inside
