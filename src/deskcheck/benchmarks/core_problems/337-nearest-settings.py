# family: pathlib
# title: nearest settings
# time: O(n * d)
# space: O(n)
# english: Looks upward from each file for the nearest settings file that has a key, as tools for projects do.
# chinese: 像项目工具那样，从每个文件向上寻找含有某键的最近设置文件。
# call: nearest({"settings": "width=80", "a/settings": "tab=2", "a/b/settings": "width=99"}, ["a/x", "a/b/y"], "width")
# call: nearest({"p/settings": "k=1"}, ["p/q/r/s", "t"], "k")
# call: nearest({"m/settings": "a=1\nb=2", "settings": "c=3"}, ["m/n/o", "m/z"], "c")
import shutil
from pathlib import Path


def nearest(settings, files, key):
    root = Path("home")
    for name, text in settings.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    values = {}
    for name in files:
        for folder in (root / name).parents:
            try:
                text = (folder / "settings").read_text()
            except FileNotFoundError:
                continue
            pairs = dict(line.split("=") for line in text.splitlines())
            if key in pairs:
                values[name] = (int(pairs[key]), folder.name)
                break
        else:
            values[name] = None
    shutil.rmtree(root)
    return values
