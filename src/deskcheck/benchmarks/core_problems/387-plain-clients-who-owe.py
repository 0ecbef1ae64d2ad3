# family: plain
# title: clients who owe, in plain Python
# time: O(n log n)
# space: O(n)
# english: Joins invoices with payments in SQL and lists clients whose open sum exceeds a limit, largest first.
# chinese: 用 SQL 连接发票与付款，列出未付总额超过限额的客户，从大到小。
# control-for: 327
# call: open_sums([(1, "ann", 90), (2, "bo", 40), (3, "ann", 10)], [(1, 50), (3, 10), (1, 5)], 20)
# call: open_sums([(7, "cy", 5), (8, "di", 5), (9, "cy", 9)], [(9, 12)], 1)
# call: open_sums([(1, "x", 30), (2, "y", 30), (3, "z", 30)], [(2, 29), (4, 30)], 0)
def open_sums(invoices, payments, limit):
    clients = {number: client for number, client, _ in invoices}
    sums = dict.fromkeys(sorted(clients.values()), 0)
    lost = 0
    for number, client, total in invoices:
        sums[client] += total
    for number, amount in payments:
        if number in clients:
            sums[clients[number]] -= amount
        else:
            lost += 1
    ordered = sorted(sums, key=sums.get, reverse=True)
    return {client: sums[client] for client in ordered if sums[client] > limit}, lost
