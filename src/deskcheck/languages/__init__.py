"""Languages other than Python, each a package with its tracer."""
