# family: dynamic programming
# title: edit costs that depend on vowels
# time: O(n*m)
# space: O(m)
# english: Last row of an edit-cost table from one word to the other: taking a letter out costs 2, putting one in costs 1, changing costs 3, or 1 between two vowels.
# chinese: 从一个单词变到另一个单词的编辑代价表的最后一行：删除一个字母代价 2，插入代价 1，替换代价 3，两个元音之间替换代价 1。
# call: edits("moles", "mail")
# call: edits("tin", "onto")
# call: edits("sea", "also")
def edits(source, target):
    row = list(range(len(target) + 1))
    for i, x in enumerate(source, 1):
        new = [2 * i]
        for j, y in enumerate(target):
            if x == y:
                new.append(row[j])
                continue
            swap = 1 if x in "aeiou" and y in "aeiou" else 3
            new.append(min(row[j] + swap, row[j + 1] + 2, new[j] + 1))
        row = new
    return row
