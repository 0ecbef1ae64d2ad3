# family: texts
# title: longest word first
# time: O(n*log(n))
# space: O(n)
# english: Puts the words of a sentence in order of length, long ones first, ties from the back, and keeps capital and full stop in place.
# chinese: 按词长从长到短重排句子（同长者后出现的在前），首字母大写与句号位置不变。
# call: reorder("The cat ran home.")
# call: reorder("Go up and see it.")
# call: reorder("Old ships may sink.")
def reorder(sentence):
    words = sentence.rstrip(".").split()
    words[0] = words[0].lower()
    ranked = sorted(enumerate(words), key=lambda pair: (-len(pair[1]), -pair[0]))
    text = " ".join(word for _, word in ranked)
    return text[0].upper() + text[1:] + "."
