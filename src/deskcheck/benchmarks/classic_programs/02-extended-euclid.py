# call: bezout(3, 1)
# call: bezout(4, 3)
# call: bezout(10, 6)
# call: bezout(39, 24)
# call: bezout(636, 390)
# call: bezout(1461, 924)
# call: bezout(38310, 27629)
# call: bezout(8881472, 5210958)
# call: bezout(18193332393, 13317610512)
# call: bezout(1711109571487756, 1233310716286454)
def bezout(a, b):
    x, y, u, v = 1, 0, 0, 1
    while b:
        q = a // b
        a, b = b, a % b
        x, u = u, x - q * u
        y, v = v, y - q * v
    return a, x, y
