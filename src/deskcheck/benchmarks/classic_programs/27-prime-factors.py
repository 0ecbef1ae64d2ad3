# call: factors(14)
# call: factors(32)
# call: factors(1445)
# call: factors(11767)
# call: factors(13778)
# call: factors(139445)
# call: factors(703423)
# call: factors(1105347)
# call: factors(3823923)
# call: factors(9065282)
def factors(number):
    result = {}
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            result[divisor] = result.get(divisor, 0) + 1
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    if number > 1:
        result[number] = result.get(number, 0) + 1
    return result
