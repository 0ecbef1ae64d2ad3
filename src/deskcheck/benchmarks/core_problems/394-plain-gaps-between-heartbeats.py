# family: plain
# title: gaps between heartbeats, in plain Python
# time: O(n log n)
# space: O(n)
# english: Compares each heartbeat of a host with the one before by lag and collects gaps longer than allowed.
# chinese: 用 lag 比较每台主机相邻的心跳，收集超过允许时长的间隔。
# control-for: 334
# call: outages([("web", 0), ("db", 3), ("web", 10), ("web", 45), ("db", 40)], 30)
# call: outages([("a", 5), ("a", 1), ("a", 9)], 3)
# call: outages([("m", 1), ("n", 2), ("m", 100), ("n", 30), ("m", 101)], 20)
def outages(beats, allowed):
    gaps = []
    longest = {}
    before = {}
    for host, moment in sorted(beats):
        gap = moment - before.get(host, moment)
        if host in before and gap > allowed:
            gaps.append((host, moment))
        if host in before:
            longest[host] = max(longest.get(host, 0), gap)
        before[host] = moment
    return gaps, longest
