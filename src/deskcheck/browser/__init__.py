"""Write a folder of static files: a page on which the shipped model executes what a reader types.

    write_site("demo") -> the parts and their sizes

site.py          writes the folder
parts.py         fetches the parts by others, which parts.json pins, and checks their hashes
examples.py      twelve programs to begin with, chosen by rule
run.py           what Python does in the browser: the true run, the prompts, the comparison
tokens.py        the tokenizer of the shipped model, without its library
page/            page, workers, service worker
"""
