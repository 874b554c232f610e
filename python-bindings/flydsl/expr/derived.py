# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiled atoms and whole copies and products, made of the primitive functions."""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from . import content
from .algebra import composition, make_layout, raked_product, right_inverse
from .atoms import CopyAtom, MmaAtom, TiledCopy, TiledMma, set_atom_value, tiled_of
from .builders import builders as _fly
from .enum import GemmTraversalOrder
from .layout import Layout
from .operands import as_int_tuple, as_tensor, as_tile, describe
from .primitive import mma_atom_call
from .tensor import Pointer, Tensor, check_memory
from .tuples import int_tuple_product_each

__all__ = [
    "copy", "gather", "gemm", "make_layout_tv", "make_tiled_copy", "make_tiled_copy_A", "make_tiled_copy_B", "make_tiled_copy_C",
    "make_tiled_copy_tv", "make_tiled_mma", "scatter"
]

# --- tiled atoms ----------------------------------------------------------------


def _static_layout(value: Any, where: str) -> Layout:
    if not isinstance(value, Layout):
        raise TypeError(f"{where}: expected a layout, got {describe(value)}; use fx.make_layout(shape, stride)")
    if not value.is_static:
        raise ValueError(f"{where}: expected a static layout, got {value}; sizes of threads and values must be known while tracing")
    return value


def _copy_atom(value: Any, where: str) -> CopyAtom:
    value = tiled_of(value)
    if isinstance(value, TiledCopy):
        value = value.copy_atom
    if not isinstance(value, CopyAtom):
        raise TypeError(f"{where}: expected a copy atom, got {describe(value)}; use fx.make_copy_atom(copy_op, elem_type)")
    return value


def make_layout_tv(thr_layout: Any, val_layout: Any):
    """A tile and its (thread, value) layout: `thr_layout` repeats the block `val_layout`, thread by thread.

    Gives `(tiler, layout_tv)`: the extents of the tile as an int tuple, and
    (thread, value) to the column-major index in the tile. Both layouts are static.
    """
    threads, values = _static_layout(thr_layout, "make_layout_tv"), _static_layout(val_layout, "make_layout_tv")
    tile = raked_product(threads, values)
    count, per_thread = content.tree_size(threads.trees[0]), content.tree_size(values.trees[0])
    layout_tv = composition(right_inverse(tile), make_layout((count, per_thread), (1, count)))
    return int_tuple_product_each(tile.shape), layout_tv


def make_tiled_copy(atom: Any, layout_tv: Any, tile_mn: Any) -> TiledCopy:
    """`atom` repeated over a tile: `layout_tv` takes (thread, value) to the column-major index in the tile of extents `tile_mn`."""
    atom = _copy_atom(atom, "make_tiled_copy")
    return _fly.make_tiled_copy(atom, _static_layout(layout_tv, "make_tiled_copy"), as_tile(tile_mn, "make_tiled_copy tile_mn"))


def make_tiled_copy_tv(atom: Any, thr_layout: Any, val_layout: Any) -> TiledCopy:
    """`atom` repeated over the tile of `make_layout_tv(thr_layout, val_layout)`."""
    tiler, layout_tv = make_layout_tv(thr_layout, val_layout)
    return make_tiled_copy(atom, layout_tv, tiler)


def _tiled_copy_of(name: str, atom: Any, tiled_mma: Any, layout: str, modes: tuple) -> TiledCopy:
    atom = _copy_atom(atom, name)
    tiled_mma = tiled_of(tiled_mma)
    if not isinstance(tiled_mma, TiledMma):
        raise TypeError(f"{name}: expected a tiled mma, got {describe(tiled_mma)}; use fx.make_tiled_mma(...)")
    extents = content.parse_tree(content.body(tiled_mma.type.tile_size_mnk))
    layout_tv = getattr(tiled_mma, layout)
    tile = _fly.static(ir.Type.parse("!fly.tile<[" + "|".join(f"{extents[mode]}:1" for mode in modes) + "]>"))
    return _fly.make_tiled_copy(atom, layout_tv, tile)


def make_tiled_copy_A(copy_atom: Any, tiled_mma: Any) -> TiledCopy:
    """`copy_atom` repeated so that each thread copies its values of the operand A, an (M, K) tile."""
    return _tiled_copy_of("make_tiled_copy_A", copy_atom, tiled_mma, "tv_layout_A_tiled", (0, 2))


def make_tiled_copy_B(copy_atom: Any, tiled_mma: Any) -> TiledCopy:
    """`copy_atom` repeated so that each thread copies its values of the operand B, an (N, K) tile."""
    return _tiled_copy_of("make_tiled_copy_B", copy_atom, tiled_mma, "tv_layout_B_tiled", (1, 2))


def make_tiled_copy_C(copy_atom: Any, tiled_mma: Any) -> TiledCopy:
    """`copy_atom` repeated so that each thread copies its values of the operand C, an (M, N) tile."""
    return _tiled_copy_of("make_tiled_copy_C", copy_atom, tiled_mma, "tv_layout_C_tiled", (0, 1))


def make_tiled_mma(atom: Any, atom_layout: Any, permutation: Any = None) -> TiledMma:
    """`atom` repeated over a grid of atoms: `atom_layout` takes (M, N, K) to the number of the atom.

    `permutation` is a tile of at most three elements that permutes the modes M, N and K.
    """
    if not isinstance(atom, MmaAtom):
        raise TypeError(f"make_tiled_mma: expected an mma atom, got {describe(atom)}; use fx.make_mma_atom(mma_op)")
    atom_layout = _static_layout(atom_layout, "make_tiled_mma")
    if atom_layout.rank != 3:
        raise ValueError(f"make_tiled_mma: expected a layout of atoms over (M, N, K), of rank 3, got {atom_layout} of rank {atom_layout.rank}")
    tile = None if permutation is None else as_tile(permutation, "make_tiled_mma permutation")
    return _fly.make_tiled_mma(atom, atom_layout, permutation=tile)


# --- copies ---------------------------------------------------------------------


def _with_state(atom: Any, state: dict, where: str) -> Any:
    if not state:
        return atom
    if isinstance(atom, (TiledCopy, TiledMma)):
        return atom.set_value(state)
    return set_atom_value(atom, state, None, where)


def _check_predicate(pred: Any, where: str) -> Any:
    if pred is not None:
        check_memory(pred, f"{where} pred")
        if str(pred.type.element_type) != "i1":
            raise TypeError(f"{where}: expected a predicate of fx.Boolean elements, got {pred.type}")
    return pred


def _mode_sizes(tensor: Tensor) -> list:
    shape = tensor.trees[0]
    return [content.tree_size(mode) for mode in (shape if type(shape) is tuple else (shape, ))]


def copy(atom: Any, src: Any, dst: Any, *, pred: Any = None, **state: Any) -> None:
    """Copies `src` to `dst` by a copy atom or tiled copy: mode 0 is one atom's values, the other modes repeat it.

    `pred`, Booleans of the same modes or of all but mode 0, says which atoms
    are copied. Keywords set run-time fields of the atom before (`soffset=`, ...).
    ValueError if the modes of `src`, `dst` and `pred` do not match.
    """
    atom = tiled_of(atom)
    if not isinstance(atom, (CopyAtom, TiledCopy)):
        raise TypeError(f"copy: expected a copy atom or a tiled copy, got {describe(atom)}")
    src, dst = as_tensor(src, "copy src"), as_tensor(dst, "copy dst")
    pred = _check_predicate(pred, "copy")
    whole_tile = (atom.type.copy_atom if isinstance(atom, TiledCopy) else atom.type).is_whole_tile
    if not whole_tile:
        if src.rank != dst.rank:
            raise ValueError(f"copy: expected tensors of equal rank, got {src.type} of rank {src.rank} and {dst.type} of rank {dst.rank}")
        _match_modes("dst", src, dst, 1, 1)
        if pred is not None:
            if pred.rank not in (src.rank, src.rank - 1):
                raise ValueError(f"copy: expected a predicate of rank {src.rank} or {src.rank - 1}, got {pred.type} of rank {pred.rank}")
            if src.rank > 1:
                _match_modes("pred", src, pred, 1, 1 if pred.rank == src.rank else 0)
    _fly.copy(_with_state(atom, state, "copy"), src, dst, pred=pred)


def _match_modes(name: str, src: Tensor, other: Tensor, from_src: int, from_other: int) -> None:
    for mode, (a, b) in enumerate(zip(_mode_sizes(src)[from_src:], _mode_sizes(other)[from_other:])):
        if a is not None and b is not None and a != b:
            raise ValueError(f"copy: mode {mode + from_other} of {name} has {b} items where mode {mode + from_src} of src has {a}; "
                             f"src is {src.type}, {name} is {other.type}")


def _leaf_coordinates(shape: content.Tree) -> list:
    """All coordinates of a static shape, the first mode fastest."""
    if type(shape) is not tuple:
        return list(range(shape))
    coordinates = [()]
    for mode in shape:
        coordinates = [before + (here, ) for here in _leaf_coordinates(mode) for before in coordinates]
    return coordinates


def _gather_scatter(name: str, atom: Any, base: Any, offsets: Any, data: Any, pred: Any, store: bool) -> None:
    atom = _copy_atom(atom, name)
    if not isinstance(base, Pointer):
        raise TypeError(f"{name}: expected a pointer as base, got {describe(base)}; use fx.get_iter(tensor)")
    offsets, data = as_tensor(offsets, f"{name} offset_tensor"), check_memory(data, f"{name} data")
    pred = _check_predicate(pred, name)
    shape, offset_shape = data.trees[0], offsets.trees[0]
    if content.tree_size(shape) is None or content.tree_size(offset_shape) is None:
        raise ValueError(f"{name}: expected tensors of static size, got {data.type} and {offsets.type}")
    if type(shape) is not tuple or type(shape[0]) is not tuple or len(shape[0]) != 2:
        raise ValueError(f"{name}: expected data of shape ((AtomV, TV), Rest...), got {data.type}")
    wanted = (shape[0][1], ) + shape[1:]
    for what, other in (("offsets", offsets), ("pred", pred)):
        if other is None:
            continue
        found = other.trees[0]
        found = found if type(found) is tuple else (found, )
        if [content.tree_size(mode) for mode in found] != [content.tree_size(mode) for mode in wanted]:
            raise ValueError(f"{name}: expected {what} of shape (TV, Rest...) = {content.tree_text(wanted)}, got {other.type}")
    lane = make_layout(content.tree_size(shape[0][0]), 1)
    one = make_layout(1, 0)
    for coord in _leaf_coordinates(tuple(content.tree_size(mode) for mode in wanted)):
        at = coord if type(offset_shape) is tuple else coord[0]
        far = _fly.make_view(base + offsets[at], lane)
        near = data[((None, coord[0]), ) + coord[1:]]
        flag = None
        if pred is not None:
            where = coord if type(pred.trees[0]) is tuple else coord[0]
            step = _fly.crd2idx(as_int_tuple(where), pred.layout)
            flag = _fly.make_view(pred.iter + step, one)
        src, dst = (near, far) if store else (far, near)
        _fly.copy_atom_call(atom, src, dst, pred=flag)


def gather(copy_atom: Any, base_iter: Any, offset_tensor: Any, dst: Any, *, pred: Any = None) -> None:
    """Copies from scattered places to `dst`: item (tv, rest...) comes from `base_iter + offset_tensor[tv, rest...]`.

    Offsets, in elements, and `pred` have the shape (TV, Rest...), `dst` the
    shape ((AtomV, TV), Rest...), all static. ValueError if the shapes do not match.
    """
    _gather_scatter("gather", copy_atom, base_iter, offset_tensor, dst, pred, store=False)


def scatter(copy_atom: Any, src: Any, base_iter: Any, offset_tensor: Any, *, pred: Any = None) -> None:
    """Copies `src` to scattered places: item (tv, rest...) goes to `base_iter + offset_tensor[tv, rest...]`. Shapes as in `gather`."""
    _gather_scatter("scatter", copy_atom, base_iter, offset_tensor, src, pred, store=True)


# --- products -------------------------------------------------------------------


def _group(value: Any, where: str) -> list:
    members = list(value) if isinstance(value, (tuple, list)) else [value]
    if not members:
        raise ValueError(f"{where}: expected a tensor or a list of them, got an empty list")
    return [check_memory(member, where) for member in members]


def _check_gemm(d: Tensor, a: Tensor, b: Tensor, c: Tensor):
    """The numbers of atoms (M, N, K); K is None without a K mode, all are None for a single atom. ValueError if they do not match."""
    ranks = (d.rank, a.rank, b.rank, c.rank)
    text = f"d {d.type}, a {a.type}, b {b.type}, c {c.type}"
    if ranks == (1, 1, 1, 1):
        return None
    if d.rank != 3 or c.rank != 3 or a.rank != b.rank or a.rank not in (2, 3):
        raise ValueError(f"gemm: expected all of rank 1, or d and c of rank 3 (values, M, N) and a and b both of rank 2 (values, M|N) or 3 "
                         f"(values, M|N, K), got ranks {ranks}: {text}")
    ds, as_, bs, cs = map(_mode_sizes, (d, a, b, c))
    for name, first, second, found in (("M", "d", "a", (ds[1], as_[1])), ("M", "d", "c", (ds[1], cs[1])), ("N", "d", "b", (ds[2], bs[1])),
                                       ("N", "d", "c", (ds[2], cs[2])), ("K", "a", "b", (as_[2:3] + [None], bs[2:3] + [None]))):
        x, y = (found[0][0], found[1][0]) if name == "K" else found
        if x is not None and y is not None and x != y:
            raise ValueError(f"gemm: {name} tile counts differ: {first} has {x}, {second} has {y}; {text}")
    return ds[1], ds[2], as_[2] if a.rank == 3 else None


def gemm(atom: Any, d: Any, a: Any, b: Any, c: Any, *, traversal_order: Any = None, traversal_layout: Any = None, atom_callback: Any = None,
         **state: Any) -> None:
    """D = A * B + C by a matrix atom or tiled mma over all tiles.

    Either all tensors have rank 1 (one atom), or `d` and `c` are (values, M, N)
    and `a` and `b` (values, M|N[, K]). `a` and `b` may be lists, such as
    `[a, scale_a]`. The order is `traversal_order` (default NMK) or spelled by a
    static `traversal_layout`. The first visit of an (m, n) reads `c`, later ones
    `d`. `atom_callback(atom, (m, n, k))` gives the atom of each call. Keywords
    set run-time fields of the atom before. ValueError if ranks or tile counts
    do not match.
    """
    atom = tiled_of(atom)
    if not isinstance(atom, (MmaAtom, TiledMma)):
        raise TypeError(f"gemm: expected an mma atom or a tiled mma, got {describe(atom)}")
    d, c = check_memory(d, "gemm d"), check_memory(c, "gemm c")
    a, b = _group(a, "gemm a"), _group(b, "gemm b")
    counts = _check_gemm(d, a[0], b[0], c)
    if traversal_order is not None and traversal_layout is not None:
        raise ValueError("gemm: expected traversal_order or traversal_layout, got both")
    order = None if traversal_order is None else GemmTraversalOrder.of(traversal_order, "gemm traversal_order")
    layout = None if traversal_layout is None else _static_layout(traversal_layout, "gemm traversal_layout")
    atom = _with_state(atom, state, "gemm")
    if atom_callback is not None:
        _gemm_by_calls(atom, d, a, b, c, counts, order, layout, atom_callback)
        return
    _fly.gemm(atom, d, a, b, c, traversal_layout=layout, traversal_order=None if order is None else order.attr)


def _walk(counts, order, layout):
    """The (m, n, k) of all atoms in the order of the calls; k is None without a K mode."""
    m_count, n_count, k_count = counts
    extents = {"M": m_count, "N": n_count, "K": 1 if k_count is None else k_count}
    total = extents["M"] * extents["N"] * extents["K"]
    if layout is not None:
        shape, stride = layout.trees
        indices = [_index(coord, stride) for coord in _leaf_coordinates(shape)]
        if sorted(indices) != list(range(total)):
            raise ValueError(f"gemm: expected a traversal_layout that visits each of the {total} atoms once, got {layout}")
        for index in indices:
            rest, m = divmod(index, extents["M"])
            k, n = divmod(rest, extents["N"])
            yield m, n, None if k_count is None else k
        return
    name = (GemmTraversalOrder.NMK if order is None else order).name
    letters, serpentine = name[:3], name.endswith("Serpentine")
    if k_count is None:
        letters = letters.replace("K", "")
    inner, middle, outer = letters[0], letters[1], letters[2] if len(letters) == 3 else None
    for o in range(extents[outer] if outer else 1):
        for step in range(extents[middle]):
            mid = extents[middle] - 1 - step if serpentine and outer and o % 2 else step
            back = serpentine and (o * extents[middle] + step) % 2
            for i in range(extents[inner]):
                at = {inner: extents[inner] - 1 - i if back else i, middle: mid}
                if outer:
                    at[outer] = o
                yield at["M"], at["N"], at.get("K")


def _index(coord: Any, stride: content.Tree) -> int:
    if type(stride) is not tuple:
        return coord * stride
    return sum(map(_index, coord, stride))


def _gemm_by_calls(atom, d, a, b, c, counts, order, layout, callback) -> None:
    single = atom.mma_atom if isinstance(atom, TiledMma) else atom
    if counts is None:
        mma_atom_call(_called(callback, single, (0, 0, 0)), d, a, b, c)
        return
    if None in counts[:2] or content.tree_size(a[0].trees[0]) is None:
        raise ValueError(f"gemm: atom_callback needs static tile counts, got d {d.type}, a {a[0].type}")
    seen = set()
    for m, n, k in _walk(counts, order, layout):
        tail = () if k is None else (k, )
        addend = d if (m, n) in seen else c
        seen.add((m, n))
        mma_atom_call(_called(callback, single, (m, n, k or 0)), d[None, m, n], [part[(None, m) + tail] for part in a],
                      [part[(None, n) + tail] for part in b], addend[None, m, n])


def _called(callback, atom: MmaAtom, coord: tuple) -> MmaAtom:
    result = callback(atom, coord)
    if not isinstance(result, MmaAtom):
        raise TypeError(f"gemm: atom_callback returns an mma atom, got {describe(result)}")
    return result

