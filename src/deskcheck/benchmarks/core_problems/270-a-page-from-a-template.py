# family: system
# title: a page from a template
# time: O(n)
# space: O(n)
# english: Fills a template of the installed package jinja2, with a loop, a filter and a name that is not there.
# chinese: 用已安装的 jinja2 包渲染模板，含循环、过滤器与不存在的名字。
# call: page(["ann", "bo"], "hi")
# call: page([], "none")
# call: page(["x"], "")
from jinja2 import Environment

TEXT = "{% for name in names %}{{ loop.index }}.{{ name|title }}{{ missing }};{% else %}-{% endfor %}{{ word|default('?', true) }}"


def page(names, word):
    environment = Environment(trim_blocks=True)
    template = environment.from_string(TEXT)
    out = template.render(names=names, word=word)
    parts = out.split(";")
    return out, len(parts)
