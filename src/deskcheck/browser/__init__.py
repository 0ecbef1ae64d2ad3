"""One folder of static files in which the shipped model executes a typed program, in the browser.

    write_site("demo", with_model=True) -> the parts and their sizes

site.py          writes the folder
parts.py         fetches and checks the pinned parts that are not ours: parts.json
examples.py      twelve programs to begin with, chosen by rule
run.py           what Python does in the browser: the true run, the prompts, the comparison
tokens.py        the tokenizer of the shipped model, without its library
page/            page, workers, service worker
"""
