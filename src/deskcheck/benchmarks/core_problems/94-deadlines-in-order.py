# family: graphs
# title: the order of dependent jobs
# time: O(n^2)
# space: O(n)
# english: Puts jobs after those they need, always the alphabetically last one that is ready; a ring of needs fails.
# chinese: 将任务排在其依赖之后，每次选字母序最大的可执行任务；循环依赖则报错。
# call: order({"a": "", "b": ""})
# call: order({"x": "yz", "y": "", "z": "y"})
# call: order({"p": "q", "q": "r", "r": "q", "s": "", "t": "s"})
def order(needs):
    done = ""
    while len(done) < len(needs):
        ready = [
            job
            for job, before in needs.items()
            if job not in done and all(one in done for one in before)
        ]
        if not ready:
            raise RuntimeError(done)
        done += max(ready)
    return done
