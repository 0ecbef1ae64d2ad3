# family: texts
# title: snake and camel
# time: O(n)
# space: O(n)
# english: Turns snake_case names into camelCase and the other way round; digits start no word.
# chinese: 在 snake_case 与 camelCase 之间互转，数字不开始新词。
# call: swap_style("max_value")
# call: swap_style("readLine2End")
# call: swap_style("_tmp_file_x9")
def swap_style(name):
    if "_" in name.strip("_"):
        head, *rest = name.strip("_").split("_")
        body = head + "".join(part.capitalize() for part in rest)
        return name[: len(name) - len(name.lstrip("_"))] + body
    out = ""
    for letter in name:
        out += "_" + letter.lower() if letter.isupper() else letter
    return out
