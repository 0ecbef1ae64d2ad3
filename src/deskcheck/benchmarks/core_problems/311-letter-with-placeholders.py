# family: re
# title: letter with placeholders
# time: O(n)
# space: O(n)
# english: Fills placeholders of a letter by finditer, with defaults, and numbers the missing names.
# chinese: 用 finditer 填写信件占位符，支持默认值，并为缺失的名字编号。
# call: fill("Dear {name}, you owe {sum:0} {unit}.", {"name": "Eva", "unit": "EUR"})
# call: fill("{a}{b:x}{c}", {"b": "B"})
# call: fill("no {} here, {one} and {two:}!", {"one": "{two}"})
import re

FIELD = re.compile(r"\{(?P<name>\w+)(?::(?P<default>[^}]*))?\}")


def fill(letter, values):
    missing = []
    text = ""
    end = 0
    for match in FIELD.finditer(letter):
        name, default = match.group("name", "default")
        text += letter[end : match.start()]
        value = values.get(name, default)
        if value is None:
            missing.append(name)
            value = f"?{len(missing)}"
        text += value
        end = match.end()
    text += letter[end:]
    return text, missing
