# call: caesar_turn("Abc xyz", 3)
# call: caesar_turn("hello", 13)
# call: caesar_turn("", 5)
# call: caesar_turn("Zebra, Yak!", 27)
# call: caesar_turn("b", -2)
# call: caesar_turn("abc", "3")
def caesar_turn(text, shift):
    out = ""
    for ch in text:
        if "a" <= ch <= "z":
            first = ord("a")
        elif "A" <= ch <= "Z":
            first = ord("A")
        else:
            out += ch
            continue
        out += chr((ord(ch) - first + shift) % 26 + first)
    return out


# call: guess_shift("khoor", "hello")
# call: guess_shift("bcd", "abc")
# call: guess_shift("", "")
# call: guess_shift("fdhvdu vdodg", "caesar salad")
# call: guess_shift("bd", "ab")
# call: guess_shift("abc", "ab")
def guess_shift(secret, plain):
    """The shift if all letters moved equally far, else None."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    shift = None
    for i in range(len(secret)):
        if secret[i] not in alphabet:
            continue
        distance = (alphabet.index(secret[i]) - alphabet.index(plain[i])) % 26
        if shift is None:
            shift = distance
        elif shift != distance:
            return None
    return shift


# call: shift_growing("aaaa")
# call: shift_growing("xyz", 2)
# call: shift_growing("")
# call: shift_growing("a banana!", 3)
# call: shift_growing("abc", 0)
# call: shift_growing(["b", "!"], 1)
def shift_growing(text, step=1):
    """The first letter moves by one step, the second by two, and so on."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    moved = []
    shift = 0
    for sign in text:
        place = alphabet.find(sign)
        if place >= 0:
            shift += step
            sign = alphabet[(place + shift) % len(alphabet)]
        moved.append(sign)
    return "".join(moved)


# call: autokey("hello", "k")
# call: autokey("abab", "bc")
# call: autokey("", "x")
# call: autokey("defend", "cab")
# call: autokey("aaa", "z")
# call: autokey("ab", "")
def autokey(plain, primer):
    """The text itself continues the key."""
    stream = list(primer)
    secret = ""
    for i, letter in enumerate(plain):
        stream.append(letter)
        number = (ord(letter) + ord(stream[i]) - 2 * ord("a")) % 26
        secret += chr(number + ord("a"))
    return secret, "".join(stream[: len(plain)])


# call: atbash_word("abc")
# call: atbash_word("Wizard")
# call: atbash_word("")
# call: atbash_word("hold the door")
# call: atbash_word("123")
# call: atbash_word(["a", "bc"])
def atbash_word(text):
    low = "abcdefghijklm"
    high = "zyxwvutsrqpon"
    turned = ""
    for ch in text.lower() if isinstance(text, str) else text:
        if ch in low:
            turned += high[low.index(ch)]
        elif ch in high:
            turned += low[high.index(ch)]
        else:
            turned += "?" if ch != " " else " "
    return turned


# call: affine_letters("abc", 5, 8)
# call: affine_letters("xyz", 3, 0)
# call: affine_letters("", 1, 1)
# call: affine_letters("hi there", 7, 2)
# call: affine_letters("ab", 13, 1)
# call: affine_letters("a", 1, None)
def affine_letters(text, a, b):
    """x becomes a * x + b; refused if two letters would become the same."""
    images = [(a * x + b) % 26 for x in range(26)]
    if len(set(images)) < 26:
        return None
    return "".join(chr(97 + images[ord(ch) - 97]) if ch != " " else ch for ch in text)


# call: rail_fence("WEAREDISCOVERED", 3)
# call: rail_fence("hello", 2)
# call: rail_fence("", 2)
# call: rail_fence("attack at dawn", 4)
# call: rail_fence("abc", 1)
# call: rail_fence("abc", 0)
def rail_fence(text, rails):
    fence = [""] * rails
    row, step = 0, 1
    for ch in text:
        fence[row] += ch
        if rails == 1:
            continue
        if row == 0:
            step = 1
        elif row == rails - 1:
            step = -1
        row += step
    return fence


# call: unrail("hloel", 2)
# call: unrail("aebdc", 3)
# call: unrail("", 3)
# call: unrail("wrfleeeoedeecata", 3)
# call: unrail("ab", 5)
# call: unrail("ab", 1)
def unrail(secret, rails):
    width = 2 * rails - 2
    rows = {}
    for i in range(len(secret)):
        at = i % width
        row = at if at < rails else width - at
        rows.setdefault(row, []).append(i)
    order = []
    for row in sorted(rows):
        order += rows[row]
    plain = [None] * len(secret)
    for sign, place in zip(secret, order):
        plain[place] = sign
    return "".join(plain)


# call: columns_by_key("hello world", "bca")
# call: columns_by_key("abcd", "ba")
# call: columns_by_key("", "k")
# call: columns_by_key("transposition", "code")
# call: columns_by_key("abc", "zz")
# call: columns_by_key("abc", "")
def columns_by_key(text, key):
    """Write in rows below the key and read the columns in the order of its letters."""
    columns = {}
    for i, ch in enumerate(text):
        place = i % len(key)
        columns.setdefault((key[place], place), []).append(ch)
    return " ".join("".join(columns[k]) for k in sorted(columns))


# call: fill_by_columns("abcdef", 2)
# call: fill_by_columns("hello", 3)
# call: fill_by_columns("", 2)
# call: fill_by_columns("transposing", 4)
# call: fill_by_columns("ab", 5)
# call: fill_by_columns("ab", 0)
def fill_by_columns(text, rows):
    cols = -(-len(text) // rows)
    grid = [["."] * cols for _ in range(rows)]
    i = 0
    for c in range(cols):
        for r in range(rows):
            if i < len(text):
                grid[r][c] = text[i]
                i += 1
    return ["".join(line) for line in grid]


# call: read_in_spiral(["abc", "def", "ghi"])
# call: read_in_spiral(["ab", "cd"])
# call: read_in_spiral([])
# call: read_in_spiral(["abcd", "efgh", "ijkl"])
# call: read_in_spiral(["xyz"])
# call: read_in_spiral(["ab", "c"])
def read_in_spiral(rows):
    top, left = 0, 0
    bottom, right = len(rows) - 1, len(rows[0]) - 1 if rows else -1
    out = []
    while top <= bottom and left <= right:
        for c in range(left, right + 1):
            out.append(rows[top][c])
        top += 1
        for r in range(top, bottom + 1):
            out.append(rows[r][right])
        right -= 1
        if top <= bottom:
            for c in range(right, left - 1, -1):
                out.append(rows[bottom][c])
            bottom -= 1
        if left <= right:
            for r in range(bottom, top - 1, -1):
                out.append(rows[r][left])
            left += 1
    return "".join(out)


# call: polybius("hi")
# call: polybius("cab", 3)
# call: polybius("")
# call: polybius("secret", 6)
# call: polybius("j i")
# call: polybius("A1")
def polybius(word, size=5):
    letters = "abcdefghiklmnopqrstuvwxyz" if size == 5 else "abcdefghijklmnopqrstuvwxyz0123456789"
    pairs = []
    for letter in word:
        if letter == "j" and size == 5:
            letter = "i"
        place = letters.find(letter)
        if place < 0:
            continue
        row, col = divmod(place, size)
        pairs.append(f"{row + 1}{col + 1}")
    return " ".join(pairs)


# call: knock_knock(["aab", "cde"], "2113")
# call: knock_knock(["xyz"], "1311")
# call: knock_knock([], "")
# call: knock_knock(["abcd", "efgh", "ijkl"], "1531243311")
# call: knock_knock(["ab"], "121")
# call: knock_knock(["ab"], "1x")
def knock_knock(square, knocks):
    """Two digits name a row and a column of the square; an odd last one is dropped."""
    text = []
    i = 0
    while i + 1 < len(knocks):
        r = int(knocks[i]) - 1
        c = int(knocks[i + 1]) - 1
        if r < len(square) and c < len(square[r]):
            text.append(square[r][c])
        else:
            text.append("#")
        i += 2
    return "".join(text)


# call: key_alphabet("zebra")
# call: key_alphabet("hello", "helowrd")
# call: key_alphabet("", "abc")
# call: key_alphabet("mississippi", "abcimnpsz")
# call: key_alphabet("a!b", "ab")
# call: key_alphabet(3)
def key_alphabet(key, letters="abcdefgrz"):
    order = []
    for ch in key + letters:
        if ch in letters and ch not in order:
            order.append(ch)
    return dict(zip(letters, order))


# call: swap_by_pairs("hello", ["eo", "hl"])
# call: swap_by_pairs("abba", ["ab"])
# call: swap_by_pairs("", ["xy"])
# call: swap_by_pairs("gaderypoluki", ["ga", "de", "ry", "po", "lu", "ki"])
# call: swap_by_pairs("abc", ["ab", "bc"])
# call: swap_by_pairs("abc", ["abc"])
def swap_by_pairs(word, pairs):
    partner = {}
    for a, b in pairs:
        partner[a] = b
        partner[b] = a
    letters = list(word)
    for i in range(len(letters)):
        if letters[i] in partner:
            letters[i] = partner[letters[i]]
    return "".join(letters)


# call: are_anagrams("listen", "silent")
# call: are_anagrams("abc", "abd")
# call: are_anagrams("", "")
# call: are_anagrams("Dormitory", "dirty room")
# call: are_anagrams("aab", "abb")
# call: are_anagrams("ab", None)
def are_anagrams(a, b):
    balance = [0] * 26
    for ch in a.lower():
        if ch.isalpha():
            balance[ord(ch) - ord("a")] += 1
    for ch in b.lower():
        if ch.isalpha():
            balance[ord(ch) - ord("a")] -= 1
    for n in balance:
        if n != 0:
            return False
    return True


# call: anagram_groups(["tea", "eat", "ten"])
# call: anagram_groups(["a", "b"])
# call: anagram_groups([])
# call: anagram_groups(["stop", "pots", "tops", "spot", "opt", "top"])
# call: anagram_groups(["", ""])
# call: anagram_groups(["ab", 12])
def anagram_groups(words):
    groups = []
    for word in words:
        signs = sorted(word)
        for group in groups:
            if sorted(group[0]) == signs:
                group.append(word)
                break
        else:
            groups.append([word])
    groups.sort(key=len, reverse=True)
    return groups


# call: letters_to_change("abc", "cbd")
# call: letters_to_change("aabb", "abab")
# call: letters_to_change("", "x")
# call: letters_to_change("balloon", "nolabel")
# call: letters_to_change("xx", "")
# call: letters_to_change(["a"], "b")
def letters_to_change(word, goal):
    """(missing, surplus) letters of the word if it is to become an anagram of the goal."""
    left = list(goal)
    surplus = ""
    for ch in word:
        if ch in left:
            left.remove(ch)
        else:
            surplus = surplus + ch
    return "".join(left), surplus


# call: nearly_mirrored("abca")
# call: nearly_mirrored("abc")
# call: nearly_mirrored("")
# call: nearly_mirrored("racexcar")
# call: nearly_mirrored("aba")
# call: nearly_mirrored(121)
def nearly_mirrored(word):
    """The place of a letter without which the word reads the same both ways, -1 if none is needed."""

    def mirrored(low, high):
        while low < high:
            if word[low] != word[high]:
                return low, high
            low, high = low + 1, high - 1
        return None

    clash = mirrored(0, len(word) - 1)
    if clash is None:
        return -1
    i, j = clash
    if mirrored(i + 1, j) is None:
        return i
    if mirrored(i, j - 1) is None:
        return j
    return None


# call: mirror_from_letters("aabbc")
# call: mirror_from_letters("xyx")
# call: mirror_from_letters("")
# call: mirror_from_letters("civilcc")
# call: mirror_from_letters("abc")
# call: mirror_from_letters([["a"], "b"])
def mirror_from_letters(letters):
    count = {}
    for letter in letters:
        count[letter] = count.setdefault(letter, 0) + 1
    half, middle = "", ""
    for letter in sorted(count):
        half += letter * (count[letter] // 2)
        if count[letter] % 2:
            if middle:
                return None
            middle = letter
    return half + middle + half[::-1]


# call: reverse_vowels("hello")
# call: reverse_vowels("stone")
# call: reverse_vowels("")
# call: reverse_vowels("education")
# call: reverse_vowels("rhythm")
# call: reverse_vowels(5)
def reverse_vowels(word):
    signs = list(word)
    low, high = 0, len(signs) - 1
    while low < high:
        if signs[low] not in "aeiou":
            low += 1
        elif signs[high] not in "aeiou":
            high -= 1
        else:
            signs[low], signs[high] = signs[high], signs[low]
            low += 1
            high -= 1
    return "".join(signs)


# call: vowel_table("queue")
# call: vowel_table("banana split")
# call: vowel_table("")
# call: vowel_table("onomatopoeia")
# call: vowel_table("sky")
# call: vowel_table(["a", 1])
def vowel_table(text):
    rows = {}
    previous = ""
    for place, sign in enumerate(text):
        if sign in "aeiou":
            rows.setdefault(sign, []).append(place)
            if previous in rows:
                rows[sign][-1] = -place
        previous = sign
    return rows


# call: pig_words("eat pig")
# call: pig_words("string")
# call: pig_words("")
# call: pig_words("the quick ox runs")
# call: pig_words("hmm")
# call: pig_words(None)
def to_pig(word):
    at = 0
    while at < len(word) and word[at] not in "aeiou":
        at += 1
        if word[at - 1 : at + 1] == "qu":
            at += 1
    if at == len(word):
        return word
    return word[at:] + word[:at] + "ay" if at else word + "way"


def pig_words(text):
    return " ".join(to_pig(word) for word in text.split())


# call: turn_words_in_place(list("ab cd"))
# call: turn_words_in_place(["x", " ", "y", "z"])
# call: turn_words_in_place([])
# call: turn_words_in_place(list("we go up now"))
# call: turn_words_in_place(list("one"))
# call: turn_words_in_place("ab cd")
def flip(signs, low, high):
    while low < high:
        signs[low], signs[high] = signs[high], signs[low]
        low += 1
        high -= 1


def turn_words_in_place(signs):
    flip(signs, 0, len(signs) - 1)
    start = 0
    for i in range(len(signs) + 1):
        if i == len(signs) or signs[i] == " ":
            flip(signs, start, i - 1)
            start = i + 1
    return signs


# call: long_words_backwards("hey fellow warriors", 5)
# call: long_words_backwards("a bc", 2)
# call: long_words_backwards("", 1)
# call: long_words_backwards("this is another test", 4)
# call: long_words_backwards("ab cd", 9)
# call: long_words_backwards("ab", "2")
def long_words_backwards(text, least):
    done, word = "", ""
    for ch in text + " ":
        if ch != " ":
            word += ch
            continue
        if len(word) >= least:
            for letter in word:
                ch = letter + ch
            done += ch
        else:
            done += word + " "
        word = ""
    return done[:-1]


# call: missing_letters("abd", "abcde")
# call: missing_letters("Sphinx", "hinpsxyz")
# call: missing_letters("", "xy")
# call: missing_letters("The five boxing wizards", "abcdefgh")
# call: missing_letters("cab", "abc")
# call: missing_letters(12, "ab")
def missing_letters(text, alphabet):
    left = dict.fromkeys(alphabet, True)
    for sign in text.lower():
        left.pop(sign, None)
        if not left:
            return "pangram"
    return "".join(left)


# call: closest_code("1101", ["1111", "0000"])
# call: closest_code("abc", ["abd", "xbc"])
# call: closest_code("", [""])
# call: closest_code("10110", ["00000", "11111", "10101", "01010"])
# call: closest_code("11", ["00"])
# call: closest_code("11", ["101"])
def hamming(a, b):
    if len(a) != len(b):
        raise ValueError(f"{a} and {b} differ in length")
    distance = 0
    for x, y in zip(a, b):
        distance += x != y
    return distance


def closest_code(word, codes):
    nearest, least = None, len(word)
    for code in codes:
        d = hamming(word, code)
        if d < least:
            nearest, least = code, d
    return nearest, least


# call: repair_triples("111000")
# call: repair_triples("101011")
# call: repair_triples("")
# call: repair_triples("110001010111")
# call: repair_triples("11")
# call: repair_triples([1, 0, 1])
def repair_triples(bits):
    """Every bit was sent three times; the majority counts."""
    message, wrong = "", []
    for start in range(0, len(bits), 3):
        three = bits[start : start + 3]
        ones = 0
        for bit in three:
            ones += bit in ("1", 1)
        message += "1" if ones >= 2 else "0"
        if 0 < ones < 3:
            wrong.append(start // 3)
    return message, wrong


# call: hamming_seven([1, 0, 1, 1])
# call: hamming_seven([0, 0, 0, 1])
# call: hamming_seven([0, 0, 0, 0])
# call: hamming_seven([1, 1, 1, 1], 5)
# call: hamming_seven([1, 0, 0, 0], 1)
# call: hamming_seven([1, 0, 1])
def hamming_seven(data, hit=None):
    """Seven bits with three checks; `hit` is the bit that the way turns over. The check finds it."""
    word = [0, 0, data[0], 0, data[1], data[2], data[3]]
    for check in (1, 2, 4):
        for place in range(1, 8):
            if place & check and place != check:
                word[check - 1] ^= word[place - 1]
    sent = word.copy()
    if hit:
        word[hit - 1] ^= 1
    syndrome = 0
    for place, bit in enumerate(word, 1):
        if bit:
            syndrome ^= place
    return sent, syndrome


# call: parity_block(["101", "110"])
# call: parity_block(["1", "1"])
# call: parity_block([])
# call: parity_block(["1011", "0110", "1110"])
# call: parity_block([""])
# call: parity_block(["10", "1"])
def parity_block(rows):
    """Each row gets a last bit, and a last row is added, so that all ones are even."""
    block = []
    for row in rows:
        ones = row.count("1")
        block.append(row + str(ones % 2))
    if not block:
        return block
    last = ""
    for c in range(len(block[0])):
        ones = 0
        for row in block:
            if row[c] == "1":
                ones = 1 - ones
        last += str(ones)
    block.append(last)
    return block


# call: book_digit("030640615")
# call: book_digit("123456789")
# call: book_digit("0")
# call: book_digit("0-8044-2957")
# call: book_digit("")
# call: book_digit("12a")
def book_digit(digits):
    """Check sign modulo 11 with falling weights."""
    numbers = [int(d) for d in digits if d != "-"]
    weight = len(numbers) + 1
    total = 0
    for n in numbers:
        total += weight * n
        weight -= 1
    check = -total % 11
    return "X" if check == 10 else str(check)


# call: price_code_ok("12345670")
# call: price_code_ok("96385074")
# call: price_code_ok("")
# call: price_code_ok("4006381333931")
# call: price_code_ok("11")
# call: price_code_ok("40o63")
def price_code_ok(code):
    """The last digit makes the sum with the weights 3 and 1 a multiple of ten."""
    total, weight = 0, 1
    place = len(code) - 1
    while place >= 0:
        total += weight * int(code[place])
        weight = 4 - weight
        place -= 1
    return total % 10 == 0, total


# call: two_sums_check("abc")
# call: two_sums_check("wiki", 100)
# call: two_sums_check("")
# call: two_sums_check("checksums", 255)
# call: two_sums_check("ba", 7)
# call: two_sums_check("a", 0)
def two_sums_check(text, modulus=251):
    first = second = 0
    for ch in text:
        first = (first + ord(ch)) % modulus
        second = (second + first) % modulus
    return second, first


# call: rolling_hashes("abcab", 2)
# call: rolling_hashes("aaa", 1)
# call: rolling_hashes("", 1)
# call: rolling_hashes("banana", 3)
# call: rolling_hashes("ab", 3)
# call: rolling_hashes([1], 1)
def rolling_hashes(text, size, base=7, modulus=101):
    if len(text) < size:
        return []
    top = 1
    for _ in range(size - 1):
        top = top * base % modulus
    value = 0
    for sign in text[:size]:
        value = (value * base + ord(sign)) % modulus
    hashes = [value]
    for i in range(size, len(text)):
        value = (value - ord(text[i - size]) * top) * base + ord(text[i])
        value %= modulus
        hashes.append(value)
    return hashes


# call: remainder_of_bits("110101", "101")
# call: remainder_of_bits("1111", "11")
# call: remainder_of_bits("", "11")
# call: remainder_of_bits("11010011", "1011")
# call: remainder_of_bits("0000", "101")
# call: remainder_of_bits("111", "")
def remainder_of_bits(message, polynomial):
    """Division without carries, as in a cyclic check."""
    extra = len(polynomial) - 1
    bits = [int(bit) for bit in message] + [0] * extra
    for i in range(len(message)):
        if bits[i] == 0:
            continue
        for j, p in enumerate(polynomial):
            bits[i + j] ^= int(p)
    return "".join(str(bit) for bit in bits[len(message) :])


# call: justified_lines("the sun is up", 9)
# call: justified_lines("a b c", 3)
# call: justified_lines("", 5)
# call: justified_lines("one two three four", 10)
# call: justified_lines("elephant ox", 4)
# call: justified_lines("ab", None)
def justified_lines(text, width):
    lines, line = [], []
    for word in text.split():
        if line and sum(map(len, line)) + len(line) + len(word) > width:
            lines.append(line)
            line = []
        line.append(word)
    out = []
    for words in lines:
        gaps = len(words) - 1
        spare = width - sum(map(len, words))
        text = words[0]
        for i, word in enumerate(words[1:]):
            size = spare // gaps + (1 if i < spare % gaps else 0)
            text += " " * size + word
        out.append(text)
    out.append(" ".join(line))
    return out


# call: centre_in_frame(["hi", "you"])
# call: centre_in_frame(["abcd"], "*")
# call: centre_in_frame([])
# call: centre_in_frame(["a", "bcd", "ef", "ghijk"], "#")
# call: centre_in_frame([""])
# call: centre_in_frame(["a", 5])
def centre_in_frame(lines, sign="+"):
    widest = 0
    for line in lines:
        if len(line) > widest:
            widest = len(line)
    frame = [sign * (widest + 2)]
    for line in lines:
        left = (widest - len(line)) // 2
        right = widest - len(line) - left
        frame.append(sign + " " * left + line + " " * right + sign)
    frame.append(frame[0])
    return frame


# call: title_by_hand("the old man")
# call: title_by_hand("a tale of two")
# call: title_by_hand("")
# call: title_by_hand("lord of the rings and me", ("of", "the", "and"))
# call: title_by_hand("  x  ")
# call: title_by_hand(["of", " ", "a"])
def title_by_hand(text, small=("of", "the", "a")):
    out = []
    word = ""
    for ch in list(text) + [" "]:
        if ch == " ":
            if word:
                if out and word in small:
                    out.append(word)
                else:
                    first = chr(ord(word[0]) - 32) if "a" <= word[0] <= "z" else word[0]
                    out.append(first + word[1:])
            word = ""
        else:
            word = word + ch
    return " ".join(out)


# call: snake_from_camel("helloWorld")
# call: snake_from_camel("parseXML")
# call: snake_from_camel("")
# call: snake_from_camel("getHTTPCode2")
# call: snake_from_camel("ABC")
# call: snake_from_camel(["aB"])
def snake_from_camel(name):
    parts = []
    for i, ch in enumerate(name):
        if ch.isupper() and i > 0:
            before_small = name[i - 1].islower()
            after_small = i + 1 < len(name) and name[i + 1].islower()
            if before_small or after_small:
                parts.append("_")
        parts.append(ch.lower())
    return "".join(parts)


# call: split_tokens("x1 = 3+42")
# call: split_tokens("a*(b-c)")
# call: split_tokens("")
# call: split_tokens("rate2*(10 - max)/7")
# call: split_tokens("   ")
# call: split_tokens("a ? b")
def split_tokens(source):
    tokens = []
    i = 0
    while i < len(source):
        ch = source[i]
        if ch == " ":
            i += 1
            continue
        start = i
        if ch.isdigit():
            while i < len(source) and source[i].isdigit():
                i += 1
            tokens.append(("num", source[start:i]))
        elif ch.isalpha():
            while i < len(source) and source[i].isalnum():
                i += 1
            tokens.append(("name", source[start:i]))
        elif ch in "+-*/()=":
            i += 1
            tokens.append(("op", ch))
        else:
            raise ValueError(f"what is {ch} at {i}")
    return tokens


# call: left_to_right("3 + 4 - 2")
# call: left_to_right("8 / 2")
# call: left_to_right("5")
# call: left_to_right("2 * 3 + 10 / 4 - 1")
# call: left_to_right("7 / 0")
# call: left_to_right("1 +")
def left_to_right(text):
    """A calculator without precedence."""
    parts = text.split()
    value = int(parts[0])
    i = 1
    while i < len(parts):
        number = int(parts[i + 1])
        if parts[i] == "+":
            value += number
        elif parts[i] == "-":
            value -= number
        elif parts[i] == "*":
            value *= number
        else:
            value = value / number if value % number else value // number
        i += 2
    return value


# call: sum_with_products("2+3*4")
# call: sum_with_products("10-2*3")
# call: sum_with_products("7")
# call: sum_with_products("2*3*4-10+5*6")
# call: sum_with_products("-5+1")
# call: sum_with_products("2+a")
def sum_with_products(text):
    """Each finished term goes on a stack; a product changes the last one."""
    stack = []
    number, sign = 0, "+"
    for i, ch in enumerate(text):
        if ch.isdigit():
            number = number * 10 + int(ch)
        elif ch not in "+-*":
            raise ValueError(ch)
        if not ch.isdigit() or i == len(text) - 1:
            if sign == "+":
                stack.append(number)
            elif sign == "-":
                stack.append(-number)
            else:
                stack.append(stack.pop() * number)
            number, sign = 0, ch
    return sum(stack), stack


# call: variables_machine(["a=3", "b=a+4"])
# call: variables_machine(["x=5", "x=x-2"])
# call: variables_machine([])
# call: variables_machine(["n=4", "m=n*n", "n=n-1", "m=m+n", "k=m-n"])
# call: variables_machine(["a=1", "b=a"])
# call: variables_machine(["a=b+1"])
def variables_machine(lines):
    memory = {}

    def value(text):
        return int(text) if text.isdigit() else memory[text]

    for line in lines:
        name, _, right = line.partition("=")
        for sign in "+-*":
            if sign in right:
                a, b = right.split(sign)
                a, b = value(a), value(b)
                memory[name] = a + b if sign == "+" else a - b if sign == "-" else a * b
                break
        else:
            memory[name] = value(right)
    return memory


# call: postfix_value("3 4 + 2 *")
# call: postfix_value("9 4 -")
# call: postfix_value("7")
# call: postfix_value("5 1 2 + 4 * + 3 -")
# call: postfix_value("6 0 /")
# call: postfix_value("1 +")
def postfix_value(text):
    stack = []
    for token in text.split():
        if token.lstrip("-").isdigit():
            stack.append(int(token))
            continue
        right = stack.pop()
        left = stack.pop()
        match token:
            case "+":
                stack.append(left + right)
            case "-":
                stack.append(left - right)
            case "*":
                stack.append(left * right)
            case "/":
                stack.append(left // right)
    return stack


# call: stack_machine(["push 2", "push 3", "add"])
# call: stack_machine(["push 5", "dup", "mul"])
# call: stack_machine([])
# call: stack_machine(["push 3", "dup", "push -1", "add", "dup", "jump 1"])
# call: stack_machine(["push 1", "push 2", "swap", "pop"])
# call: stack_machine(["push 1", "add"])
def stack_machine(program):
    stack = []
    at = steps = 0
    while at < len(program) and steps < 40:
        steps += 1
        name, _, argument = program[at].partition(" ")
        at += 1
        if name == "push":
            stack.append(int(argument))
        elif name == "pop":
            stack.pop()
        elif name == "dup":
            stack.append(stack[-1])
        elif name == "swap":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        elif name == "jump":
            if stack.pop() != 0:
                at = int(argument)
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if name == "add" else a * b)
    return stack, steps


# call: register_machine([("set", "a", 3), ("add", "b", "a")])
# call: register_machine([("set", "a", 2), ("dec", "a", 1), ("loop", "a", 1)])
# call: register_machine([])
# call: register_machine([("set", "n", 4), ("set", "s", 0), ("add", "s", "n"), ("dec", "n", 1), ("loop", "n", 2)])
# call: register_machine([("loop", "z", 0)])
# call: register_machine([("add", "a", "q"), ("nop",)])
def register_machine(program):
    registers = {}
    line = 0
    while line < len(program):
        order, name, value = program[line]
        now = registers.get(name, 0)
        line += 1
        if order == "set":
            registers[name] = value
        elif order == "add":
            registers[name] = now + registers.get(value, 0)
        elif order == "dec":
            registers[name] = now - value
        elif order == "loop" and now > 0:
            line = value
    return registers


# call: tape_writer("+>++<+", 3)
# call: tape_writer("+[-]", 2)
# call: tape_writer("", 1)
# call: tape_writer("+++[>++<-]>+", 2)
# call: tape_writer("<+", 3)
# call: tape_writer("+[", 1)
def tape_writer(program, cells):
    """Cells in a ring; [ and ] repeat while the cell is not 0."""
    partner, opened = {}, []
    for i, sign in enumerate(program):
        if sign == "[":
            opened.append(i)
        elif sign == "]":
            partner[i] = opened.pop()
            partner[partner[i]] = i
    tape = [0] * cells
    head = at = steps = 0
    while at < len(program) and steps < 50:
        steps += 1
        sign = program[at]
        if sign == ">":
            head = (head + 1) % cells
        elif sign == "<":
            head = (head - 1) % cells
        elif sign == "+":
            tape[head] += 1
        elif sign == "-":
            tape[head] -= 1
        elif sign == "[" and tape[head] == 0 or sign == "]" and tape[head] != 0:
            at = partner[at]
        at += 1
    if opened:
        raise ValueError(f"open at {opened}")
    return tape, head


# call: rotation_offset("abcde", "cdeab")
# call: rotation_offset("aab", "aba")
# call: rotation_offset("", "")
# call: rotation_offset("waterbottle", "erbottlewat")
# call: rotation_offset("abc", "acb")
# call: rotation_offset("ab", 5)
def rotation_offset(a, b):
    if len(a) != len(b):
        return -1
    for offset in range(len(a)):
        same = 0
        while same < len(a) and a[(offset + same) % len(a)] == b[same]:
            same += 1
        if same == len(a):
            return offset
    return 0 if a == b else -1


# call: rotate_by_flips(list("abcdef"), 2)
# call: rotate_by_flips([1, 2, 3], 1)
# call: rotate_by_flips([], 3)
# call: rotate_by_flips([5, 6, 7, 8, 9, 10, 11], 10)
# call: rotate_by_flips([1, 2, 3, 4], -1)
# call: rotate_by_flips("abc", 1)
def rotate_by_flips(items, by):
    """To the left in place: turn both parts around, then the whole."""
    n = len(items)
    if n == 0:
        return items
    by %= n
    for low, end in ((0, by), (by, n), (0, n)):
        high = end - 1
        while low < high:
            keep = items[low]
            items[low] = items[high]
            items[high] = keep
            low += 1
            high -= 1
    return items


# call: rotate_in_cycles(["a", "b", "c", "d"], 2)
# call: rotate_in_cycles([1, 2, 3], 1)
# call: rotate_in_cycles([9], 0)
# call: rotate_in_cycles([1, 2, 3, 4, 5, 6], 4)
# call: rotate_in_cycles([1, 2], 4)
# call: rotate_in_cycles([], 1)
def rotate_in_cycles(a, by):
    """To the right: every value goes straight to its place."""
    n = len(a)
    by = by % n
    moved = start = 0
    while moved < n:
        at, carried = start, a[start]
        while True:
            at = (at + by) % n
            a[at], carried = carried, a[at]
            moved += 1
            if at == start:
                break
        start += 1
    return a


# call: smallest_rotation("bca")
# call: smallest_rotation("abab")
# call: smallest_rotation("")
# call: smallest_rotation("cbabcab")
# call: smallest_rotation("zzz")
# call: smallest_rotation(["b", "a"])
def smallest_rotation(word):
    best = 0
    n = len(word)
    for start in range(1, n):
        k = 0
        while k < n:
            x, y = word[(start + k) % n], word[(best + k) % n]
            if x != y:
                if x < y:
                    best = start
                break
            k += 1
    return best, word[best:] + word[:best]


# call: common_start(["flower", "flow", "flight"])
# call: common_start(["dog", "cat"])
# call: common_start([])
# call: common_start(["interview", "internal", "interest", "into"])
# call: common_start(["same", "same"])
# call: common_start(["a", 1])
def common_start(words):
    if not words:
        return None
    length = 0
    while True:
        for word in words:
            if length >= len(word) or word[length] != words[0][length]:
                return words[0][:length]
        length += 1


# call: front_coding(["car", "card", "care"])
# call: front_coding(["a", "b"])
# call: front_coding([])
# call: front_coding(["in", "inner", "inn", "out", "outer"])
# call: front_coding(["x", "x"])
# call: front_coding(["ab", None])
def front_coding(words):
    """Each word as (letters shared with the word before, rest)."""
    coded = []
    before = ""
    for word in words:
        shared = 0
        limit = min(len(before), len(word))
        while shared < limit and before[shared] == word[shared]:
            shared += 1
        coded.append((shared, word[shared:]))
        before = word
    return coded


# call: front_decoding([(0, "car"), (3, "d"), (2, "b")])
# call: front_decoding([(0, "a"), (1, "")])
# call: front_decoding([])
# call: front_decoding([(0, "test"), (4, "er"), (6, "s"), (1, "ry"), (0, "x")])
# call: front_decoding([(3, "a")])
# call: front_decoding([(0, "a"), ("1", "b")])
def front_decoding(pairs):
    words = [""]
    for shared, rest in pairs:
        words.append(words[-1][:shared] + rest)
    del words[0]
    return words


# call: lz_pairs("abab")
# call: lz_pairs("aaa")
# call: lz_pairs("")
# call: lz_pairs("banana band")
# call: lz_pairs("abc")
# call: lz_pairs([1, 2])
def lz_pairs(text):
    """(number of a known phrase, new letter); each pair makes a new phrase."""
    phrases = {"": 0}
    pairs = []
    phrase = ""
    for letter in text:
        if phrase + letter in phrases:
            phrase += letter
        else:
            pairs.append((phrases[phrase], letter))
            phrases[phrase + letter] = len(phrases)
            phrase = ""
    if phrase:
        pairs.append((phrases[phrase], ""))
    return pairs


# call: lz_unpack([(0, "a"), (1, "b"), (2, "c")])
# call: lz_unpack([(0, "x")])
# call: lz_unpack([])
# call: lz_unpack([(0, "b"), (0, "a"), (0, "n"), (2, "n"), (2, "s"), (4, "")])
# call: lz_unpack([(0, "a"), (1, "a"), (2, "a")])
# call: lz_unpack([(2, "a")])
def lz_unpack(pairs):
    known = [""]
    text = ""
    for number, letter in pairs:
        known.append(known[number] + letter)
        text += known[-1]
    return text, known[1:]


# call: lzw_numbers("abab", "ab")
# call: lzw_numbers("aaaa", "a")
# call: lzw_numbers("", "ab")
# call: lzw_numbers("bananas", "abns")
# call: lzw_numbers("ba", "ab")
# call: lzw_numbers("abc", "ab")
def lzw_numbers(text, alphabet):
    book = {letter: n for n, letter in enumerate(alphabet)}
    numbers = []
    now = ""
    for letter in text:
        longer = now + letter
        if longer in book:
            now = longer
            continue
        numbers.append(book[now])
        book[longer] = len(book)
        now = letter
    if now:
        numbers.append(book[now])
    return numbers, book


# call: word_numbers("to be or not to be")
# call: word_numbers("a a b")
# call: word_numbers("")
# call: word_numbers("she sells sea shells she sells")
# call: word_numbers("one")
# call: word_numbers(["a b"])
def word_numbers(text):
    """Words that come again are replaced by the number of the first one."""
    seen, out = [], []
    for word in text.split(" "):
        if word in seen:
            out.append(str(seen.index(word)))
        else:
            seen.append(word)
            out.append(word)
    return " ".join(out)


# call: copy_back([("a", 0), ("b", 0), (2, 4)])
# call: copy_back([("x", 0), (1, 3)])
# call: copy_back([])
# call: copy_back([("b", 0), ("a", 0), ("n", 0), (2, 3), ("s", 0), (4, 2)])
# call: copy_back([("q", 0)])
# call: copy_back([(1, 1)])
def copy_back(orders):
    """A letter, or (distance, length): copy from what is already written."""
    text = []
    for what, length in orders:
        if isinstance(what, str):
            text.append(what)
            continue
        for _ in range(length):
            text.append(text[-what])
    return "".join(text)


# call: move_to_front("abcab")
# call: move_to_front("aab", "ab")
# call: move_to_front("")
# call: move_to_front("bananas", "abns")
# call: move_to_front("ccc")
# call: move_to_front("xyz")
def move_to_front(text, letters="abc"):
    row = list(letters)
    numbers = []
    for letter in text:
        at = 0
        while row[at] != letter:
            at += 1
        numbers.append(at)
        while at > 0:
            row[at] = row[at - 1]
            at -= 1
        row[0] = letter
    return numbers, row


# call: morse_out("sos")
# call: morse_out("Tea")
# call: morse_out("")
# call: morse_out("me and tina")
# call: morse_out("a?b")
# call: morse_out(7)
MORSE = {"a": ".-", "d": "-..", "e": ".", "i": "..", "m": "--", "n": "-.", "o": "---", "s": "...", "t": "-"}


def morse_out(text):
    words = []
    for word in text.lower().split():
        codes = []
        for letter in word:
            codes.append(MORSE.get(letter, "#"))
        words.append(" ".join(codes))
    return " / ".join(words)


# call: morse_in("- . .-")
# call: morse_in("... --- ...")
# call: morse_in("")
# call: morse_in("-- . / .- -. -.. / - .. -. .-")
# call: morse_in("-.-")
# call: morse_in("..... x")
def morse_in(code):
    """Down a tree: left for a dot, right for a dash; a node is (letter, dot, dash)."""
    tree = ("", ("e", ("i", ("s",), None), ("a",)), ("t", ("n", ("d",), ("k",)), ("m", None, ("o",))))
    text = ""
    for group in code.split():
        if group == "/":
            text += " "
            continue
        node = tree
        for sign in group:
            if sign not in ".-":
                raise ValueError(sign)
            side = 1 if sign == "." else 2
            node = node[side] if node and side < len(node) else None
        text += node[0] if node else "?"
    return text


# call: morse_readings(".-")
# call: morse_readings("..")
# call: morse_readings("")
# call: morse_readings("-.-")
# call: morse_readings("-----")
# call: morse_readings(None)
def morse_readings(code, book={".": "e", "-": "t", ".-": "a", "-.": "n", "..": "i", "--": "m", "-.-": "k"}):
    """All texts that give this code without gaps."""
    if code == "":
        return [""]
    readings = []
    for size in (1, 2, 3):
        head, tail = code[:size], code[size:]
        if len(head) == size and head in book:
            for rest in morse_readings(tail):
                readings.append(book[head] + rest)
    return readings


# call: huffman_read((("a", "b"), "c"), "00011")
# call: huffman_read(("x", "y"), "010")
# call: huffman_read(("x", "y"), "")
# call: huffman_read(("e", (("t", "n"), ("s", "r"))), "1000110101111")
# call: huffman_read(("x", ("y", "z")), "01")
# call: huffman_read(("x", "y"), "012")
def huffman_read(tree, bits):
    text = ""
    node = tree
    for bit in bits:
        node = node[int(bit)]
        if isinstance(node, str):
            text += node
            node = tree
    if node is not tree:
        text += "!"
    return text


# call: prefix_free(["0", "10", "11"])
# call: prefix_free(["1", "10"])
# call: prefix_free([])
# call: prefix_free(["00", "010", "011", "10", "110", "1"])
# call: prefix_free(["01", "01"])
# call: prefix_free(["0", 1])
def prefix_free(codes):
    """The first pair of codes of which one begins with the other."""
    for i in range(len(codes)):
        for j in range(len(codes)):
            if i == j:
                continue
            short, other = codes[i], codes[j]
            k = 0
            while k < len(short) and k < len(other) and short[k] == other[k]:
                k += 1
            if k == len(short):
                return short, other
    return None


# call: acronym_of("portable network graphics")
# call: acronym_of("as soon as possible", ["as"])
# call: acronym_of("")
# call: acronym_of("light-amplification by stimulated emission of radiation", ("by", "of"))
# call: acronym_of("hello")
# call: acronym_of("a b", None)
def acronym_of(phrase, skip=()):
    letters = ""
    for word in phrase.replace("-", " ").split():
        if word in skip and letters:
            continue
        letters += word[0].upper()
    return letters if len(letters) > 1 else phrase


# call: initials_fit("Federal Bureau", "fb")
# call: initials_fit("radio detection and ranging", "radar")
# call: initials_fit("", "")
# call: initials_fit("compact disc read only", "cdro")
# call: initials_fit("abc", "abcd")
# call: initials_fit("abc", 3)
def initials_fit(phrase, short):
    """Whether the letters of the short form come in this order, each word giving its first letter at least."""
    words = phrase.lower().split()

    def fit(w, i):
        if w == len(words):
            return i == len(short)
        taken = 0
        place = 0
        word = words[w]
        while i + taken < len(short) and place < len(word):
            if word[place] == short[i + taken]:
                taken += 1
                if fit(w + 1, i + taken):
                    return True
            elif place == 0:
                return False
            place += 1
        return False

    return fit(0, 0)


# call: letter_bars("banana")
# call: letter_bars("aab", "#")
# call: letter_bars("")
# call: letter_bars("mississippi", "=")
# call: letter_bars("  ")
# call: letter_bars(["x", "x"])
def letter_bars(text, sign="*"):
    letters, counts = [], []
    for ch in text:
        if ch == " ":
            continue
        if ch in letters:
            counts[letters.index(ch)] += 1
        else:
            letters.append(ch)
            counts.append(1)
    lines = []
    for i in range(len(letters)):
        lines.append(letters[i] + " " + sign * counts[i])
    return lines


# call: typed_with_backspace("ab#c")
# call: typed_with_backspace("a##b")
# call: typed_with_backspace("")
# call: typed_with_backspace("heel#lo##lo w#!")
# call: typed_with_backspace("###")
# call: typed_with_backspace(["a", "b", "#"])
def typed_with_backspace(keys):
    """The text is written over the front of the keys."""
    signs = list(keys)
    end = 0
    for i in range(len(signs)):
        if signs[i] != "#":
            signs[end] = signs[i]
            end += 1
        elif end > 0:
            end -= 1
    return "".join(signs[:end]), signs


# call: letters_from_book(["the cat", "sat down"], [(0, 1, 0), (1, 0, 2)])
# call: letters_from_book(["abc"], [(0, 0, 2)])
# call: letters_from_book([], [])
# call: letters_from_book(["we all live", "in a yellow", "submarine"], [(0, 1, 1), (1, 2, 0), (2, 0, 8), (1, 0, -1)])
# call: letters_from_book(["a"], [(0, 0, 5)])
# call: letters_from_book(["a b"], [(1, 0, 0)])
def letters_from_book(lines, places):
    """(line, word, letter) of each letter; a letter beyond the word is a blank."""
    pages = [line.split() for line in lines]
    message = ""
    for line, word, letter in places:
        found = pages[line][word]
        if letter >= len(found):
            message += " "
        else:
            message += found[letter]
    return message
