# family: exceptions
# title: break, continue and else around errors
# time: O(n)
# space: O(n)
# english: Goes through texts as numbers; bad ones are skipped, a zero breaks off, and the else part runs only without a break.
# chinese: 把文本当作数字处理；坏的跳过，零则中断，未中断才执行 else。
# call: walk(["3"])
# call: walk(["3", "?", "4"])
# call: walk(["8", "?", "2", "0", "5"])
def walk(texts):
    log, rest = [], 24
    for text in texts:
        try:
            rest //= int(text)
        except ValueError:
            log.append("skip")
            continue
        except ZeroDivisionError:
            log.append("stop")
            break
        finally:
            log.append(rest)
    else:
        log.append("all")
    return log
