# family: plain
# title: letter with placeholders, in plain Python
# time: O(n)
# space: O(n)
# english: Fills placeholders of a letter by finditer, with defaults, and numbers the missing names.
# chinese: 用 finditer 填写信件占位符，支持默认值，并为缺失的名字编号。
# control-for: 311
# call: fill("Dear {name}, you owe {sum:0} {unit}.", {"name": "Eva", "unit": "EUR"})
# call: fill("{a}{b:x}{c}", {"b": "B"})
# call: fill("no {} here, {one} and {two:}!", {"one": "{two}"})
def fill(letter, values):
    missing = []
    text, *fields = letter.split("{")
    for field in fields:
        body, _, rest = field.partition("}")
        if not body:
            text += "{" + field
            continue
        name, colon, default = body.partition(":")
        value = values.get(name, default if colon else None)
        if value is None:
            missing.append(name)
            value = f"?{len(missing)}"
        text += value + rest
    return text, missing
