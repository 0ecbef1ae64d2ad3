# call: triangle(1)
# call: triangle(2)
# call: triangle(4)
# call: triangle(6)
# call: triangle(9)
# call: triangle(13)
# call: triangle(19)
# call: triangle(27)
# call: triangle(39)
# call: triangle(54)
def triangle(height):
    rows = []
    row = [1]
    while len(rows) < height:
        rows.append(row)
        longer = [1]
        for left, right in zip(row, row[1:]):
            longer.append(left + right)
        longer.append(1)
        row = longer
    return rows
