# call: in_base(-3, 5)
# call: in_base(30, 7)
# call: in_base(27, 3)
# call: in_base(44334, 7)
# call: in_base(1696111, 5)
# call: in_base(605720001447, 7)
# call: in_base(626811, 2)
# call: in_base(66112863152204, 3)
# call: in_base(-3479588653024, 2)
# call: in_base(-7943929319939306825718690784, 3)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def in_base(number, base):
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    number = abs(number)
    digits = ""
    while number:
        number, rest = divmod(number, base)
        digits = DIGITS[rest] + digits
    return sign + digits
