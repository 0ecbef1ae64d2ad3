"""Hide secrets in all that is shown or stored of a person's run.

tables       names and forms of secrets, each entry with its reason
masks        literals of a source that are secrets, and the source with stars in their place
redactor     the secrets of one run, and its program, trace, output and texts without them
"""
