# call: hop_cipher("garden", 3)
# call: hop_cipher("Zebra!", 1)
# call: hop_cipher("", 5)
# call: hop_cipher("Meet me at the old mill by noon", 2)
# call: hop_cipher("abc", -4)
# call: hop_cipher("a b", "2")
def hop_cipher(text, step):
    ring = "abcdefghijklmnopqrstuvwxyz "
    at, trail = 0, ""
    for ch in text.lower():
        if ch not in ring:
            trail += ch
            continue
        at = (at + ring.index(ch) + step) % 27
        trail += ring[at]
    return trail


# call: nibbles("2f")
# call: nibbles("A")
# call: nibbles("")
# call: nibbles("deadbeef01")
# call: nibbles("0x1F")
# call: nibbles("3g")
def nibbles(text):
    rows = []
    for ch in text:
        value = int(ch, 16)
        rows.append(f"{value:04b}")
    return " ".join(rows)


# call: pack_flags(read=True, write=False, share=True)
# call: pack_flags(write=1)
# call: pack_flags()
# call: pack_flags(share=True, admin=True, hidden=True, read=True, write=True)
# call: pack_flags(hidden="no")
# call: pack_flags(fly=True)
def pack_flags(**flags):
    bits = {"read": 0, "write": 1, "share": 2, "hidden": 4, "admin": 7}
    word = 0
    for name, on in flags.items():
        mask = 1 << bits[name]
        word = word | mask if on else word & ~mask
    return hex(word)


# call: unpack_colour("#ff8000")
# call: unpack_colour("0a0B0c")
# call: unpack_colour("#000000")
# call: unpack_colour("#7fffd4")
# call: unpack_colour("#fff")
# call: unpack_colour("#gg0000")
def unpack_colour(code):
    number = int(code.lstrip("#"), 16)
    red, green, blue = number >> 16 & 255, number >> 8 & 255, number & 255
    grey = (red * 3 + green * 6 + blue) // 10
    return (red, green, blue), grey, "dark" if grey < 128 else "light"


# call: check_letter("4006")
# call: check_letter("77")
# call: check_letter("")
# call: check_letter("900120045567")
# call: check_letter("0000")
# call: check_letter("12a4")
def check_letter(digits):
    weight, total = 1, 0
    for d in digits:
        total += weight * int(d)
        weight = weight % 4 + 1
    return digits + "KLMNPRSTVWX"[total % 11]


# call: run_marks("aaabcc")
# call: run_marks("xyz")
# call: run_marks("")
# call: run_marks("wwwwwwwwwwwwbwwb!!!")
# call: run_marks("11122")
# call: run_marks([1, 1, 2])
def run_marks(text):
    """A doubled letter is marked with ', three or more with \" and the rest of the run."""
    out, i = "", 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        n = j - i
        out += text[i] + ("" if n == 1 else "'" if n == 2 else f'"{n - 3}')
        i = j
    return out


# call: Keypad("ab").press("2 22 222")
# call: Keypad("abcdef").press("22 2 33")
# call: Keypad("x").press("")
# call: Keypad("abcdefghijklmnopqrstuvwxyz").press("44 33 555 555 666")
# call: Keypad("abc").press("2222")
# call: Keypad("abc").press("9")
class Keypad:
    def __init__(self, letters):
        self.keys = {}
        for i, letter in enumerate(letters):
            self.keys.setdefault(str(2 + i // 3), []).append(letter)

    def press(self, presses):
        word = ""
        for run in presses.split():
            letters = self.keys[run[0]]
            word += letters[(len(run) - 1) % len(letters)]
        return word


# call: to_base("255", 10, 16)
# call: to_base("zz", 36, 2)
# call: to_base("0", 2, 3)
# call: to_base("1101011010", 2, 7)
# call: to_base("-5", 10, 4)
# call: to_base("129", 8, 10)
def to_base(text, source, target):
    number = int(text, source)
    sign = "-" if number < 0 else ""
    number = abs(number)
    digits = []
    while True:
        number, r = divmod(number, target)
        digits.append("0123456789abcdefghijklmnopqrstuvwxyz"[r])
        if number == 0:
            break
    return sign + "".join(reversed(digits)) + f"_{target}"


# call: zigzag_pack([0, -1, 1, -2])
# call: zigzag_pack([5])
# call: zigzag_pack([])
# call: zigzag_pack([12, -7, 3, 0, -30, 18, -1, 4, 4, -4])
# call: zigzag_pack([-100])
# call: zigzag_pack([1, 0.5])
def zigzag_pack(numbers):
    return [n << 1 if n >= 0 else (-n << 1) - 1 for n in numbers]


# call: xor_mask("hi", 7)
# call: xor_mask("Key", 255)
# call: xor_mask("", 1)
# call: xor_mask("open the gate", 42)
# call: xor_mask("same", 0)
# call: xor_mask("hi", 300)
def xor_mask(text, key):
    data = text.encode()
    masked = bytes(b ^ key for b in data)
    back = bytes(b ^ key for b in masked).decode()
    return masked.hex(), back == text


# call: fence_rows("meetatnoon", 3)
# call: fence_rows("abcd", 2)
# call: fence_rows("", 2)
# call: fence_rows("the lamp is lit at the north window", 5)
# call: fence_rows("abc", 1)
# call: fence_rows("abc", 0)
def fence_rows(message, rows):
    return "|".join(message[r::rows] for r in range(rows))


# call: unfence("adbec|fg")
# call: unfence("ac|bd")
# call: unfence("")
# call: unfence("mtne|eao|ton|x")
# call: unfence("abc|")
# call: unfence(["ac", "bd"])
def unfence(coded):
    rows = [list(row) for row in coded.split("|")]
    message = ""
    while any(rows):
        for row in rows:
            if row:
                message += row.pop(0)
    return message


# call: morse_like("sos")
# call: morse_like("tea")
# call: morse_like("")
# call: morse_like("meet at ten")
# call: morse_like("q!")
# call: morse_like(["s", 5])
def morse_like(text):
    table = {letter: format(n, "b").replace("0", ".").replace("1", "-") for n, letter in enumerate("etaoinshr", 2)}
    signs = []
    for ch in text:
        if ch == " ":
            signs.append("/")
        else:
            signs.append(table.get(ch, "?" + str(len(ch))))
    return " ".join(signs)


# call: parity_rows(["1011", "0110"])
# call: parity_rows(["1"])
# call: parity_rows([])
# call: parity_rows(["110010", "001101", "111111", "000000", "101010"])
# call: parity_rows(["01", "011"])
# call: parity_rows(["12"])
def parity_rows(words):
    sent = [w + str(sum(map(int, w)) % 2) for w in words]
    columns = "".join(str(sum(map(int, col)) & 1) for col in zip(*sent))
    return sent + [columns]


# call: find_flip(["1010", "0111", "1100"])
# call: find_flip(["00", "00"])
# call: find_flip([])
# call: find_flip(["1100111", "0011011", "1110111", "0001001"])
# call: find_flip(["10", "00", "01"])
# call: find_flip([5])
def find_flip(block):
    """Row and column with odd parity point at the flipped bit."""
    bad_rows = [i for i, row in enumerate(block) if row.count("1") % 2]
    bad_cols = [j for j, col in enumerate(zip(*block)) if col.count("1") % 2]
    if not bad_rows and not bad_cols:
        return "clean"
    if len(bad_rows) == len(bad_cols) == 1:
        return bad_rows[0], bad_cols[0]
    return "damaged", bad_rows, bad_cols


# call: nato("abe")
# call: nato("Cab!")
# call: nato("")
# call: nato("bad cabbage facade")
# call: nato("xyz")
# call: nato(7)
def nato(word):
    spoken = "Alfa Bravo Charlie Delta Echo Foxtrot Golf".split()
    alphabet = {w[0]: w for w in spoken}
    said = []
    for ch in word.upper():
        if ch.isspace():
            said.append("(pause)")
            continue
        said.append(alphabet.get(ch, ch))
    return "-".join(said)


# call: stripes(6)
# call: stripes(1)
# call: stripes(0)
# call: stripes(0b1110011101, 12)
# call: stripes(-1, 4)
# call: stripes("6")
def stripes(number, width=8):
    line = ""
    for bit in range(width - 1, -1, -1):
        line += "#" if number & (1 << bit) else " "
    return f"[{line}]"


# call: bit_story(12)
# call: bit_story(1023)
# call: bit_story(0)
# call: bit_story(987654321)
# call: bit_story(-8)
# call: bit_story(2.0)
def bit_story(n):
    return {
        "hex": f"{n:#x}",
        "oct": f"{n:o}",
        "bits": n.bit_length(),
        "ones": bin(n).count("1"),
        "low": n & -n,
        "even": not n & 1,
    }


# call: book_cipher("the cat sat on the mat", "2 5 1")
# call: book_cipher("one two", "1")
# call: book_cipher("word", "")
# call: book_cipher("we hide the small brass key under a loose brick", "6 1 9.2 4.1 3")
# call: book_cipher("one two", "-1 2")
# call: book_cipher("one two", "3")
def book_cipher(page, key):
    words = page.split()
    answer = []
    for ref in key.split():
        place, _, letter = ref.partition(".")
        word = words[int(place) - 1]
        answer.append(word[int(letter) - 1] if letter else word)
    return " ".join(answer)


# call: mirror_alphabet("level")
# call: mirror_alphabet("Hello, World")
# call: mirror_alphabet("")
# call: mirror_alphabet("Quartz glyph job vext cwm finks 42")
# call: mirror_alphabet("ÄÖ az")
# call: mirror_alphabet(b"az")
def mirror_alphabet(text):
    import string
    low = string.ascii_lowercase
    mirrored = low[12::-1] + low[:12:-1]
    table = str.maketrans(low, mirrored)
    coded = text.lower().translate(table)
    return coded, [a for a, b in zip(text, coded) if a == b]


# call: keyed_alphabet("lantern")
# call: keyed_alphabet("zz top")
# call: keyed_alphabet("")
# call: keyed_alphabet("The quick brown fox")
# call: keyed_alphabet("ABC")
# call: keyed_alphabet(["la", "n"])
def keyed_alphabet(key):
    order = []
    for ch in [*key.lower(), *"abcdefghijklmnopqrstuvwxyz"]:
        if ch.isalpha() and ch not in order:
            order.append(ch)
    return "".join(order)


# call: grid_code("bad")
# call: grid_code("hat", "hatbcdefg")
# call: grid_code("")
# call: grid_code("a deaf bee fed", "abcdefghi")
# call: grid_code("zoo")
# call: grid_code("a", None)
def grid_code(word, cells="abcdefghi"):
    code = []
    for ch in word:
        where = cells.find(ch)
        if where < 0:
            code.append("00")
        else:
            row, col = divmod(where, 3)
            code.append(f"{row + 1}{col + 1}")
    return " ".join(code)


# call: ungrid("21 11 13")
# call: ungrid("33")
# call: ungrid("")
# call: ungrid("12 32 31 22 13 11 21 23 33")
# call: ungrid("44 1")
# call: ungrid("2x")
def ungrid(code, cells=("abc", "def", "ghi")):
    word = ""
    for pair in code.split():
        try:
            row, col = (int(d) - 1 for d in pair)
            word += cells[row][col]
        except IndexError:
            word += "?"
        except ValueError as e:
            if len(pair) == 2:
                raise
            word += "_"
    return word


# call: Wheel("abcd").turn(1).encode("bad")
# call: Wheel("abcdef").encode("fed")
# call: Wheel("ab").turn(3).encode("")
# call: Wheel("abcdefghij").turn(4).turn(-1).encode("jibefachgd")
# call: Wheel("abc").turn(9).encode("a-b c")
# call: Wheel("").turn(1).encode("a")
class Wheel:
    """Each letter sent turns the wheel one further."""

    def __init__(self, letters):
        self.letters = letters
        self.shift = 0

    def turn(self, n):
        self.shift = (self.shift + n) % len(self.letters)
        return self

    def encode(self, word):
        sent = ""
        for ch in word:
            at = self.letters.find(ch)
            if at == -1:
                sent += ch
                continue
            sent += self.letters[(at + self.shift) % len(self.letters)]
            self.turn(1)
        return sent


# call: byte_dump(b"Hi there")
# call: byte_dump(b"\x00\xff")
# call: byte_dump(b"")
# call: byte_dump(b"line\n\ttab and more", 6)
# call: byte_dump(b"\xc3\x9c1")
# call: byte_dump("text")
def byte_dump(data, width=4):
    rows = []
    for at in range(0, len(data), width):
        chunk = data[at:at + width]
        hexes = " ".join("%02x" % b for b in chunk)
        shown = "".join(chr(b) if 32 <= b < 127 else "." for b in chunk)
        rows.append(f"{at:03d} {hexes:<{width * 3}}{shown}")
    return rows


# call: utf_sizes("año")
# call: utf_sizes("abc")
# call: utf_sizes("")
# call: utf_sizes("naïve café €5 ☂ rain")
# call: utf_sizes("\n\t")
# call: utf_sizes(["a"])
def utf_sizes(text):
    sizes = {}
    for ch in dict.fromkeys(text):
        sizes.setdefault(len(ch.encode("utf-8")), []).append(ch)
    return sizes, len(text), len(text.encode("utf-8"))


# call: pixel_row("f81")
# call: pixel_row("3c")
# call: pixel_row("")
# call: pixel_row("ff81bd", on="@", off=".")
# call: pixel_row("0")
# call: pixel_row("xyz")
def pixel_row(code, on="#", off=" "):
    bits = "".join(format(int(d, 16), "04b") for d in code)
    return bits.translate({48: off, 49: on}), bits.count("1")


# call: glyph([6, 9, 15, 9])
# call: glyph([1])
# call: glyph([])
# call: glyph([31, 4, 4, 36, 24], 6)
# call: glyph([16, 0])
# call: glyph([3, "9"])
def glyph(rows, width=4):
    picture = [f"{row:0{width}b}".replace("0", ".").replace("1", "X") for row in rows]
    turned = ["".join(col)[::-1] for col in zip(*picture)]
    return picture, turned


# call: session_token("anna", 5)
# call: session_token("bo", 0)
# call: session_token("", 1)
# call: session_token("administrator", 1024)
# call: session_token("Zoë", 3)
# call: session_token(None, 3)
def session_token(user, salt):
    state = salt
    for ch in user:
        state = (state * 33 ^ ord(ch)) & 0xFFFF
    return f"{user[:3].upper():_<3}-{state:04X}"


# call: pair_shift("ABCDE")
# call: pair_shift("no")
# call: pair_shift("")
# call: pair_shift("swap every pair of these letters")
# call: pair_shift("x")
# call: pair_shift(123)
def pair_shift(text):
    pairs = zip(text[::2], text[1::2])
    tail = text[-1] if len(text) % 2 else ""
    return "".join(b + a for a, b in pairs) + tail


# call: number_words("three one")
# call: number_words("nine")
# call: number_words("")
# call: number_words("four two zero zero seven eight one six")
# call: number_words("one hundred")
# call: number_words(["one"])
def number_words(text):
    words = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    value = 0
    for w in text.split():
        if w not in words:
            return value, f"stopped at {w!r}"
        value = 10 * value + words.index(w)
    return value


# call: bcd(59)
# call: bcd(7)
# call: bcd(0)
# call: bcd(20240617)
# call: bcd(-12)
# call: bcd(1.5)
def bcd(n):
    packed, shift = 0, 0
    while n > 0:
        n, digit = divmod(n, 10)
        packed |= digit << shift
        shift += 4
    return packed, format(packed, "x")


# call: tap_code([(1, 1), (2, 3)])
# call: tap_code([(5, 5)])
# call: tap_code([])
# call: tap_code([(2, 3), (1, 5), (3, 1), (3, 1), (3, 4), (1, 3), (1, 1)])
# call: tap_code([(6, 1)])
# call: tap_code([(1,)])
def tap_code(taps):
    square = [["A", "B", "C", "D", "E"], ["F", "G", "H", "I", "J"], ["L", "M", "N", "O", "P"], list("QRSTU"), list("VWXYZ")]
    return "".join(square[r - 1][c - 1] for r, c in taps if max(r, c) <= 5)


# call: stutter("ta-co")
# call: stutter("a")
# call: stutter("")
# call: stutter("The secret lies under the Oak")
# call: stutter("rhythm")
# call: stutter(42)
def stutter(text):
    """Every vowel v becomes vpv."""
    import re
    coded = re.sub(r"([aeiou])", r"\1p\1", text.lower())
    plain = re.sub(r"([aeiou])p\1", r"\1", coded)
    return coded, plain == text


# call: price_tag("BLKHRS", 1)
# call: price_tag("RK")
# call: price_tag("")
# call: price_tag("BLACKHORSE", 2)
# call: price_tag("bk")
# call: price_tag("B?K")
def price_tag(letters, decimals=0):
    # shopkeepers wrote what they paid in letters of BLACKHORSE
    key = "BLACKHORSE"
    digits = "".join(str((key.index(c) + 1) % 10) for c in letters)
    if decimals and digits:
        digits = digits[:-decimals] + "." + digits[-decimals:]
    return float(digits) if digits else None


# call: checksum_lines(["ab", "cd"])
# call: checksum_lines(["z"])
# call: checksum_lines([])
# call: checksum_lines(["first line", "", "second", "third one", "end."])
# call: checksum_lines([""])
# call: checksum_lines(["ok", 3])
def checksum_lines(lines):
    checked = []
    carry = 0
    for line in lines:
        total = carry
        for ch in line:
            total += ord(ch)
        carry = total % 97
        checked.append(f"{line}#{carry:02d}")
    return checked


# call: half_words([0x1234])
# call: half_words([255, 256])
# call: half_words([])
# call: half_words([4660, 65535, 0, 1, 43981, 513], little=True)
# call: half_words([-2])
# call: half_words([70000])
def half_words(words, little=False):
    out = []
    for w in words:
        if w > 0xFFFF:
            raise OverflowError(f"{w:#x} has more than 16 bits")
        high, low = w >> 8 & 0xFF, w & 0xFF
        out += [low, high] if little else [high, low]
    return out


# call: swap_nibbles(b"\x12\xab")
# call: swap_nibbles(b"0")
# call: swap_nibbles(b"")
# call: swap_nibbles(b"blue door 7", 2)
# call: swap_nibbles([65, 90])
# call: swap_nibbles([300])
def swap_nibbles(data, times=1):
    for _ in range(times):
        data = bytes((b & 15) << 4 | b >> 4 for b in data)
    return data


# call: join_numbers([3, 12, 7])
# call: join_numbers([0])
# call: join_numbers([])
# call: join_numbers([5, 130, 16384, 77, 1, 255, 9])
# call: join_numbers([127, 128])
# call: join_numbers([1, -1])
def join_numbers(numbers):
    """Seven bits a byte; the top bit says that more follow."""
    stream = bytearray()
    for n in numbers:
        if n < 0:
            raise ValueError("only counts")
        while n > 127:
            stream.append(n & 127 | 128)
            n >>= 7
        stream.append(n)
    return stream.hex(" ")


# call: split_numbers("038201")
# call: split_numbers("7f")
# call: split_numbers("")
# call: split_numbers("05 82 01 80 80 01 4d 01 ff 01 09")
# call: split_numbers("81")
# call: split_numbers("5")
def split_numbers(text):
    numbers, value, shift = [], 0, 0
    for b in bytes.fromhex(text):
        value |= (b & 0x7F) << shift
        shift += 7
        if b < 128:
            numbers.append(value)
            value = shift = 0
    return (numbers, "cut") if shift else (numbers, "whole")


# call: vowel_bits("orchid pie")
# call: vowel_bits("fly")
# call: vowel_bits("")
# call: vowel_bits("blue turtles run uphill")
# call: vowel_bits(7)
# call: vowel_bits(["o", 1, "u"])
def vowel_bits(text):
    mask = 0
    for i, v in enumerate("aeiou"):
        mask |= (v in text) << i
    missing = [v for i, v in enumerate("aeiou") if not mask >> i & 1]
    return bin(mask), missing


# call: make_coder(3)("cab")
# call: make_coder(0)("same")
# call: make_coder(1)("")
# call: make_coder(25, skip="xyz")("the xylophone plays")
# call: make_coder(-3)("abc")
# call: make_coder(2.5)("abc")
def make_coder(shift, skip=""):
    letters = [c for c in "abcdefghijklmnopqrstuvwxyz" if c not in skip]

    def code(text):
        return "".join(letters[(letters.index(c) + shift) % len(letters)] if c in letters else c for c in text)

    return code


# call: both_ways("rain", "sun")
# call: both_ways("aa", "a")
# call: both_ways("", "key")
# call: both_ways("bring the boat", "harbour")
# call: both_ways("up", "UP")
# call: both_ways("up", "")
def both_ways(plain, key):
    from itertools import cycle
    def mix(text, sign):
        shifts = (sign * (ord(k) - 96) for k in cycle(key))
        return "".join(chr(ord(c) + s) for c, s in zip(text, shifts))
    coded = mix(plain, 1)
    return coded, mix(coded, -1)


# call: dna_pack("ACGT")
# call: dna_pack("TTA")
# call: dna_pack("")
# call: dna_pack("GATTACAGATTACA")
# call: dna_pack("acgt")
# call: dna_pack("ACNG")
def dna_pack(bases):
    number = 1
    for base in bases.upper():
        number = number << 2 | {"A": 0, "C": 1, "G": 2, "T": 3}[base]
    return number


# call: dna_unpack(283)
# call: dna_unpack(4)
# call: dna_unpack(1)
# call: dna_unpack(412345678)
# call: dna_unpack(0)
# call: dna_unpack(-3)
def dna_unpack(number):
    if number < 0:
        raise ValueError("no bases below zero")
    bases = ""
    while number > 1:
        bases = "ACGT"[number & 3] + bases
        number >>= 2
    return bases or None


# call: version_code("2.10.3")
# call: version_code("1.0")
# call: version_code("")
# call: version_code("12.255.7rc")
# call: version_code("1.2.3.4")
# call: version_code("1.x")
def version_code(version):
    parts = [int(p.removesuffix("rc")) for p in version.split(".") if p]
    while len(parts) < 3:
        parts.append(0)
    major, minor, patch, *extra = parts
    code = major << 16 | minor << 8 | patch
    return code, f"{code:06x}", extra


# call: mac_parts("00:1B:44")
# call: mac_parts("ff-ff-ff")
# call: mac_parts("")
# call: mac_parts("3c:22:fb:0a:9e:71")
# call: mac_parts("1:2:3")
# call: mac_parts("zz:00")
def mac_parts(address):
    octets = [int(o, 16) for o in address.replace("-", ":").split(":") if o]
    if not octets:
        return None
    group = bool(octets[0] & 1)
    local = octets[0] & 2 != 0
    return ":".join(f"{o:02x}" for o in octets), group, local


# call: letter_sum("bee")
# call: letter_sum("A-b")
# call: letter_sum("")
# call: letter_sum("extraordinary words")
# call: letter_sum("???")
# call: letter_sum(("b", "ee"))
def letter_sum(word):
    low = high = 0
    for c in word:
        if not "a" <= c <= "z":
            continue
        value = ord(c) - ord("`")
        if value > 13:
            high += value
        else:
            low += value
    return f"{low:02}/{high:02}", "heavy" if high > low else "light" if low else "blank"


# call: escape_marks("a=1;b")
# call: escape_marks("plain")
# call: escape_marks("")
# call: escape_marks("50% off; size=XL & more")
# call: escape_marks("%3B")
# call: escape_marks(None)
def escape_marks(text, marks=";=&%"):
    escaped = text
    for mark in marks:
        escaped = escaped.replace(mark, f"%{ord(mark):02X}")
    return escaped


# call: unescape("a%3D1")
# call: unescape("%25")
# call: unescape("")
# call: unescape("name%3DAnn%26age%3D30%3B ok 100%25")
# call: unescape("50%")
# call: unescape("%G1")
def unescape(text):
    head, *parts = text.split("%")
    for part in parts:
        if len(part) < 2:
            head += "%" + part
            continue
        head += chr(int(part[:2], 16)) + part[2:]
    return head


# call: lamp_row(3, "rlr")
# call: lamp_row(1, "")
# call: lamp_row(0, "")
# call: lamp_row(0b100101, "rrlnrlnn", width=6)
# call: lamp_row(16, "n")
# call: lamp_row(3, "rx")
def lamp_row(lamps, orders, width=4):
    full = (1 << width) - 1
    seen = [lamps]
    for order in orders:
        if order == "r":
            lamps = lamps >> 1 | (lamps & 1) << width - 1
        elif order == "l":
            lamps = lamps << 1 & full | lamps >> width - 1
        elif order == "n":
            lamps = ~lamps & full
        else:
            raise LookupError(order)
        seen.append(lamps)
    return [f"{s:0{width}b}" for s in seen]
