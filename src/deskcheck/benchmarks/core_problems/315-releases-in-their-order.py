# family: re
# title: releases in their order
# time: O(n log n)
# space: O(n)
# english: Sorts names of releases by number, with candidates before the release itself, and skips other tags.
# chinese: 按版本号排序发布名，候选版排在正式版之前，并跳过其他标签。
# call: releases(["v1.10", "v1.9", "v1.10rc2", "nightly"])
# call: releases(["v2.0", "v2.0rc10", "v2.0rc9", "v10.0"])
# call: releases(["v1", "v0.5", "2.1", "v0.5rc1", "v0.40"])
import re

TAG = re.compile(r"v(?P<major>\d+)\.(?P<minor>\d+)(?:rc(?P<candidate>\d+))?")


def releases(tags):
    keyed = []
    skipped = []
    for tag in tags:
        match = TAG.fullmatch(tag)
        if not match:
            skipped.append(tag)
            continue
        major, minor, candidate = match.groups(default="999")
        keyed.append((int(major), int(minor), int(candidate), tag))
    keyed.sort()
    names = [tag for *_, tag in keyed]
    return names, skipped
