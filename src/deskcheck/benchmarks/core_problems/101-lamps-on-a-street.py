# family: greedy
# title: lamps that light both sides
# time: O(n)
# space: O(1)
# english: Sets lamps on a street so that every dark house is lit; a lamp lights its house and the next two.
# chinese: 在街上安装灯使每个暗房被照亮；一盏灯照亮所在房子及其后两个。
# call: lamps(".x.")
# call: lamps("xx.x")
# call: lamps("x..xx.xxx.x....xx.x.xxxx..x")
def lamps(street):
    placed, house = [], 0
    while house < len(street):
        if street[house] == "x":
            placed.append(house)
            house += 3
        else:
            house += 1
    return placed
