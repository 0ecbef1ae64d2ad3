# family: plain
# title: releases in their order, in plain Python
# time: O(n log n)
# space: O(n)
# english: Sorts names of releases by number, with candidates before the release itself, and skips other tags.
# chinese: 按版本号排序发布名，候选版排在正式版之前，并跳过其他标签。
# control-for: 315
# call: releases(["v1.10", "v1.9", "v1.10rc2", "nightly"])
# call: releases(["v2.0", "v2.0rc10", "v2.0rc9", "v10.0"])
# call: releases(["v1", "v0.5", "2.1", "v0.5rc1", "v0.40"])
def releases(tags):
    keyed = []
    skipped = []
    for tag in tags:
        major, dot, minor = tag.removeprefix("v").partition(".")
        if not tag.startswith("v") or not dot:
            skipped.append(tag)
            continue
        minor, _, candidate = minor.partition("rc")
        keyed.append((int(major), int(minor), int(candidate or 999), tag))
    keyed.sort()
    names = [tag for *_, tag in keyed]
    return names, skipped
