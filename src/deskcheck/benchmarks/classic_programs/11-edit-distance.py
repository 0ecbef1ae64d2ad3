# call: edit_distance('t', 't')
# call: edit_distance('a', 'ata')
# call: edit_distance('gt', 'gtt')
# call: edit_distance('gtg', 'gtgct')
# call: edit_distance('taga', 'tagatc')
# call: edit_distance('gctagg', 'gctaggat')
# call: edit_distance('ccgtttcatt', 'ccgttcattg')
# call: edit_distance('actggttacgtga', 'acggttacgtgaag')
# call: edit_distance('tcagagatcctacacccgggt', 'tcagagcacacggta')
# call: edit_distance('ccttacagcaggtgggcctcagtggt', 'cttaacggtgggcctcagtggtag')
def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            current = row[j]
            if x == y:
                row[j] = previous
            else:
                row[j] = 1 + min(previous, row[j], row[j - 1])
            previous = current
    return row[-1]
