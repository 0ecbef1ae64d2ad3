# call: primes_up_to(2)
# call: primes_up_to(4)
# call: primes_up_to(7)
# call: primes_up_to(13)
# call: primes_up_to(24)
# call: primes_up_to(44)
# call: primes_up_to(82)
# call: primes_up_to(155)
# call: primes_up_to(291)
# call: primes_up_to(548)
def primes_up_to(limit):
    crossed = set()
    primes = []
    for n in range(2, limit + 1):
        if n in crossed:
            continue
        primes.append(n)
        for multiple in range(n * n, limit + 1, n):
            crossed.add(multiple)
    return primes
