# family: control
# title: months of interest and small change
# time: O(n)
# space: O(1)
# english: Adds a ninth and the month's number to the money each month and counts the remainders by four.
# chinese: 每月把钱加上其九分之一和月份数，并累加除以四的余数。
# control-for: 24
# call: save(40, 5)
# call: save(15, 10)
# call: save(7, 20)
def save(money, months):
    change = 0
    month = 0
    while month < months:
        month += 1
        money += money // 9 + month
        change += money % 4
    return money, change
