# call: insertion_sort([1, 19])
# call: insertion_sort([37, 14, 23])
# call: insertion_sort([38, 80, 80, 43, 63])
# call: insertion_sort([37, 53, 52, 76, 90, 96, 6, 95])
# call: insertion_sort([62, 70, 35, 35, 38, 15, 41, 19, 93, 48])
# call: insertion_sort([93, 32, 47, 85, 54, 0, 58, 25, 50, 29, 12, 16, 62, 93, 91])
# call: insertion_sort([11, 74, 57, 96, 32, 27, 10, 36, 75, 46, 82, 3, 98, 73, 61, 85, 4, 97, 28, 86, 64, 50, 80, 62])
# call: insertion_sort([91, 76, 12, 71, 11, 92, 92, 69, 91, 40, 24, 70, 84, 33, 62, 84, 59, 7, 99, 36, 10, 25, 11, 64, 63, 1, 18])
# call: insertion_sort([98, 66, 8, 2, 71, 11, 23, 20, 57, 14, 89, 33, 44, 5, 73, 61, 8, 40, 4, 91, 48, 92, 18, 82, 85, 41, 55, 11, 94, 38, 41, 81, 14, 88, 14, 34, 49, 95, 34, 45, 18, 35, 75, 58, 57, 21])
# call: insertion_sort([83, 13, 12, 2, 17, 25, 89, 51, 90, 58, 11, 26, 56, 79, 17, 20, 9, 83, 61, 6, 11, 80, 40, 5, 71, 64, 69, 89, 32, 7, 77, 43, 95, 29, 50, 92, 50, 25, 26, 36, 4, 2, 86, 76, 95, 44, 13, 30, 31, 65, 81, 97, 78, 20, 70, 87, 18, 62, 30, 45, 46, 87, 39, 17, 59, 47])
def insertion_sort(cards):
    for i in range(1, len(cards)):
        card = cards[i]
        place = i
        while place > 0 and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card
    return cards
