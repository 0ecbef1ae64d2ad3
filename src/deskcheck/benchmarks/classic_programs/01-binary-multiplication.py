# call: multiply(77, 1)
# call: multiply(6, 2)
# call: multiply(28, 11)
# call: multiply(69, 60)
# call: multiply(42, 766)
# call: multiply(48, 93844)
# call: multiply(58, 100727260)
# call: multiply(87, 8070093582954)
# call: multiply(62, 1270837664655429371414)
# call: multiply(59, 500701509548065348271112186494302)
def multiply(a, b):
    total = 0
    while b > 0:
        if b & 1:
            total += a
        a <<= 1
        b >>= 1
    return total
