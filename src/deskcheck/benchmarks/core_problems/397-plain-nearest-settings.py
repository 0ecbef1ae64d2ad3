# family: plain
# title: nearest settings, in plain Python
# time: O(n * d)
# space: O(n)
# english: Looks upward from each file for the nearest settings file that has a key, as tools for projects do.
# chinese: 像项目工具那样，从每个文件向上寻找含有某键的最近设置文件。
# control-for: 337
# call: nearest({"settings": "width=80", "a/settings": "tab=2", "a/b/settings": "width=99"}, ["a/x", "a/b/y"], "width")
# call: nearest({"p/settings": "k=1"}, ["p/q/r/s", "t"], "k")
# call: nearest({"m/settings": "a=1\nb=2", "settings": "c=3"}, ["m/n/o", "m/z"], "c")
def nearest(settings, files, key):
    texts = {}
    for name, text in settings.items():
        folder = ("home/" + name).rpartition("/")[0]
        texts[folder] = text
    values = {}
    for name in files:
        folder = "home/" + name
        while folder:
            folder = folder.rpartition("/")[0]
            try:
                text = texts[folder]
            except KeyError:
                continue
            pairs = dict(line.split("=") for line in text.splitlines())
            if key in pairs:
                values[name] = (int(pairs[key]), folder.split("/")[-1])
                break
        else:
            values[name] = None
    return values
