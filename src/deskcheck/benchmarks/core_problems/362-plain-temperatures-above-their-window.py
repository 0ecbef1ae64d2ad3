# family: plain
# title: temperatures above their window, in plain Python
# time: O(n)
# space: O(n)
# english: Compares each temperature with the rolling sum of the days before and collects days that stand out.
# chinese: 将每日温度与之前数日的滚动和比较，收集突出的日子。
# control-for: 302
# call: spikes([10, 12, 11, 20, 12, 30], 3, 4)
# call: spikes([5, 5, 5, 9], 2, 1)
# call: spikes([1, 9, 2, 8, 3, 15, 4], 2, 3)
def spikes(temperatures, days, margin):
    found = []
    for day in range(days, len(temperatures)):
        now = temperatures[day]
        before = sum(temperatures[day - days : day])
        if now > before / days + margin:
            excess = now * days - before
            found.append((day, excess))
    later = temperatures[days:]
    warmest = later.index(max(later))
    return found, warmest + days
