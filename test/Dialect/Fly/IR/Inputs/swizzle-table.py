"""Prints a table (see infer-table.py) of what each small swizzle does.

The formula of a swizzle S<mask, base, shift> on an index x is
x ^ ((x & ((2^mask - 1) << (base + shift))) >> shift); each line evaluates one
swizzle over the coordinates of one row of a tile.
"""

for mask in range(5):
    for base in range(5):
        for shift in range(1, 5):
            for row in (1, 5, 10, 31):
                x = 37 * row + 5
                y = x ^ ((x & (((1 << mask) - 1) << (base + shift))) >> shift)
                swizzle = f"S<{mask},{base},{shift}>"
                print(f"crd2idx (int_tuple<{x}> ; swizzle<{swizzle}>) -> int_tuple<{y}>")
                print(
                    f"crd2idx (int_tuple<({row},0)> ; composed_layout<{swizzle} o 5 o"
                    f" (32,37):(37,1)>) -> int_tuple<{y}>"
                )
