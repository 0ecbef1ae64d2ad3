# family: math
# title: prime factors as a signature
# time: O(sqrt(n))
# space: O(1)
# english: Exponents of the prime factors of a number, with the largest prime.
# chinese: 一个数的各质因数的指数，以及最大的质因数。
# call: signature(7)
# call: signature(90)
# call: signature(1694)
def signature(number):
    exponents, divisor, largest = [], 2, 1
    while number > 1:
        count = 0
        while number % divisor == 0:
            number //= divisor
            count += 1
        if count:
            exponents.append(count)
            largest = divisor
        divisor += 1
    return exponents, largest
