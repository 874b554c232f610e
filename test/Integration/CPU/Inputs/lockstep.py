"""Reference results of divergence.mlir: the lanes of a wave in lockstep.

usage: lockstep.py LANES WAVE OUT.npy

Written in terms of sets of lanes, not of sites: in each round of the loop the
lanes that still run split at the branch, each part does its cross-lane
operations together, and they meet again.
"""
import struct
import sys


def run_wave(lanes):
    acc = {lane: 0 for lane in lanes}
    for i in range(5):
        live = [lane for lane in lanes if i <= lane % 5]
        odd = [lane for lane in live if (lane + i) % 2]
        even = [lane for lane in live if not (lane + i) % 2]
        for lane in odd:
            acc[lane] += len(odd)
        for lane in even:
            acc[lane] += 3 * even[0]
        inner = [lane for lane in even if lane & 2]
        votes = sum(acc[lane] & 1 for lane in inner)
        for lane in inner:
            acc[lane] += votes
    return [acc[lane] for lane in lanes]


def main():
    lanes, wave, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    values = []
    for first in range(0, lanes, wave):
        values += run_wave(list(range(first, min(first + wave, lanes))))
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % lanes
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        out.write(header.encode())
        out.write(struct.pack("<%di" % lanes, *values))


main()
