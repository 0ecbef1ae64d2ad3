# family: texts
# title: template with defaults
# time: O(n)
# space: O(n)
# english: Fills {name} and {name|default} in a text from a dictionary; an unknown name without default stays with a question mark.
# chinese: 用字典填充 {name} 与 {name|default}，未知且无默认值的名字保留并加问号。
# call: fill("Hi {who}!", {"who": "Ann"})
# call: fill("{a}-{b|two}-{c}", {"a": "one"})
# call: fill("{x|{y}} {z}", {"y": "no", "z": "end"})
def fill(text, values):
    out = ""
    while "{" in text:
        before, _, text = text.partition("{")
        inside, _, text = text.partition("}")
        name, bar, default = inside.partition("|")
        out += before
        if name in values:
            out += values[name]
        elif bar:
            out += default
        else:
            out += name + "?"
    return out + text
