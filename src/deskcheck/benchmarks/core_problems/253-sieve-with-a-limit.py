# family: long runs
# title: sieve with a limit
# time: O(n*log(log(n)))
# space: O(n)
# english: Number of primes up to a limit whose next number is no multiple of three, and the largest of them.
# chinese: 上限以内、后继不是 3 的倍数的素数个数以及其中最大者。
# call: sieve(150)
# call: sieve(240)
# call: sieve(333)
def sieve(limit):
    marked = [False] * (limit + 1)
    count = largest = 0
    for number in range(2, limit + 1):
        if marked[number]:
            continue
        for multiple in range(number * number, limit + 1, number):
            marked[multiple] = True
        if (number + 1) % 3:
            count += 1
            largest = number
    return count, largest
