# family: math
# title: the first number with two remainders
# time: O(m*n)
# space: O(1)
# english: Smallest number with the given remainders by two divisors, found in steps of the first, or what was reached after n steps.
# chinese: 以第一个除数为步长，求同时满足两个余数的最小数；n 步后仍未找到则给出到达的数。
# call: meet(1, 2, 1, 3)
# call: meet(2, 5, 3, 4)
# call: meet(4, 7, 6, 9)
def meet(a, m, b, n):
    number, steps = a, 0
    while number % n != b % n:
        number += m
        steps += 1
        if steps == n:
            return -number
    return number, steps
