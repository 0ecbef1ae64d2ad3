# family: system
# title: packed records
# time: O(n)
# space: O(n)
# english: Packs numbers into bytes by a format, flips two bits of one byte, and unpacks.
# chinese: 按格式把数字打包成字节，翻转某字节的两个比特后再解包。
# call: packed("<hb", [258, -1], 0)
# call: packed(">I", [1], 3)
# call: packed("<Bxh", [5, -2], 1)
import struct


def packed(form, numbers, place):
    data = bytearray(struct.pack(form, *numbers))
    data[place] ^= 0x81
    back = struct.unpack(form, bytes(data))
    return list(back), data.hex(), struct.calcsize(form)
