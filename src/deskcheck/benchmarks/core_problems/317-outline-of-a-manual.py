# family: re
# title: outline of a manual
# time: O(n)
# space: O(n)
# english: Numbers the headings of a manual by level and makes link names, outside of fenced code.
# chinese: 按层级给手册标题编号并生成链接名，忽略代码块内的内容。
# call: outline(["# Get it", "text", "## By pip", "## By hand!", "# Use"])
# call: outline(["## Deep", "```", "# no", "```", "# Top"])
# call: outline(["#tag", "# A b  c", "### X"])
import re

HEADING = re.compile(r"(?P<marks>#{1,3}) (?P<title>.+)")


def outline(lines):
    numbers = [0, 0, 0]
    links = []
    fenced = False
    for line in lines:
        if re.match("```", line):
            fenced = not fenced
        heading = HEADING.fullmatch(line)
        if fenced or not heading:
            continue
        level = len(heading["marks"])
        numbers[level - 1] += 1
        numbers[level:] = [0] * (3 - level)
        link = re.sub(r"\W+", "-", heading["title"].lower()).strip("-")
        links.append(".".join(map(str, numbers[:level])) + " " + link)
    return links
