# family: plain
# title: links between pages, in plain Python
# time: O(n)
# space: O(n)
# english: Follows relative links between pages on disk and reports broken ones and pages that nothing links to.
# chinese: 检查磁盘上页面间的相对链接，报告失效链接与无人链接的页面。
# control-for: 341
# call: links({"index.md": "guide/a.md guide/b.md", "guide/a.md": "../index.md c.md"})
# call: links({"x/y.md": "z.md", "x/z.md": "y.md", "w.md": "x/y.md"})
# call: links({"one.md": "", "d/two.md": "../one.md ../../one.md"})
def links(pages):
    folders = {}
    for name, text in pages.items():
        folder = name.split("/")[:-1]
        folders[name] = folder
    broken = []
    reached = []
    for page in sorted(pages, key=lambda name: name.split("/")):
        for link in pages[page].split():
            ups = link.count("../")
            parts = folders[page][: len(folders[page]) - ups] + link.split("/")[ups:]
            target = "/".join(parts)
            if target in pages and ups <= len(folders[page]):
                reached.append(target)
            else:
                broken.append((page.split("/")[-1][:-3], link))
    alone = [name for name in pages if name not in reached]
    return broken, alone
