# family: bit manipulation
# title: swapping neighbouring bits of a byte
# time: O(1)
# space: O(1)
# english: Separates the even and odd bits of a byte, swaps every pair of neighbours, inverts the result and mixes the byte in where the inverse is smaller.
# chinese: 分离一个字节的偶数位和奇数位，交换每对相邻位并取反；若取反结果小于原字节，再与原字节异或。
# call: mix(178)
# call: mix(77)
# call: mix(233)
def mix(byte):
    even = byte & 0b01010101
    odd = byte & 0b10101010
    swapped = even << 1 | odd >> 1
    inverse = ~swapped & 0xFF
    if inverse < byte:
        inverse ^= byte
    return even, odd, inverse
