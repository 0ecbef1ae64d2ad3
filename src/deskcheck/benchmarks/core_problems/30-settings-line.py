# family: parsing
# title: a line of settings that refer back
# time: O(n)
# space: O(n)
# english: Reads settings of the form key=value parted by semicolons; numbers become numbers, a $ takes the value of an earlier key, which must exist, and a bare key takes the number of keys before it.
# chinese: 读取以分号分隔的 key=value 设置；数字转成整数，$ 表示取前面某个键的值，该键必须存在；没有等号的键取它前面键的个数。
# call: settings("a=3;b=$a")
# call: settings("host=lab; port=80; via=$host; old=07; new=$port; end")
# call: settings("size=5; fill; top=$lid")
def settings(text):
    found = {}
    for part in text.split(";"):
        key, sign, value = part.strip().partition("=")
        if not sign:
            value = len(found)
        elif value.startswith("$"):
            value = found[value[1:]]
        elif value.isdigit():
            value = int(value)
        found[key] = value
    return found
