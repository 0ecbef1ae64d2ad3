# family: effects
# title: messages between two programs
# time: O(n)
# space: O(n)
# english: Two programs send each other messages over queues until neither has anything to say; an unknown message fails.
# chinese: 两个程序通过队列互发消息，直到都无话可说；未知消息报错。
# call: talk(["bye"])
# call: talk(["ask 3", "bye"])
# call: talk(["ask 2", "sing", "bye"])
from collections import deque


def talk(lines):
    inbox, outbox, log = deque(lines), deque(), []
    while inbox or outbox:
        if outbox:
            log.append(outbox.popleft())
            continue
        word, *rest = inbox.popleft().split()
        if word == "ask":
            outbox.extend(str(n * n) for n in range(int(rest[0])))
        elif word == "bye":
            outbox.append("end")
            inbox.clear()
        else:
            raise NotImplementedError(word)
    return log
