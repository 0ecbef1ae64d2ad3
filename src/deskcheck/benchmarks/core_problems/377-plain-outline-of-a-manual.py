# family: plain
# title: outline of a manual, in plain Python
# time: O(n)
# space: O(n)
# english: Numbers the headings of a manual by level and makes link names, outside of fenced code.
# chinese: 按层级给手册标题编号并生成链接名，忽略代码块内的内容。
# control-for: 317
# call: outline(["# Get it", "text", "## By pip", "## By hand!", "# Use"])
# call: outline(["## Deep", "```", "# no", "```", "# Top"])
# call: outline(["#tag", "# A b  c", "### X"])
def outline(lines):
    numbers = [0, 0, 0]
    links = []
    fenced = False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        marks, space, title = line.partition(" ")
        if fenced or not space or marks not in ("#", "##", "###"):
            continue
        level = len(marks)
        numbers[level - 1] += 1
        numbers[level:] = [0] * (3 - level)
        link = "-".join(title.lower().replace("!", " ").split())
        links.append(".".join(map(str, numbers[:level])) + " " + link)
    return links
