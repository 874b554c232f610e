// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accessors that bare operations and the atoms that wrap them have in common.

#ifndef FLY_PYTHON_BINDINGS_LIB_ATOMS_H
#define FLY_PYTHON_BINDINGS_LIB_ATOMS_H

#include "Structure.h"
#include "Support.h"

#include "Fly-c/Atoms.h"

namespace fly::python {

/// [(name, type)] of an atom's run-time state.
nb::list getStateFields(const mp::PyMlirContextRef &context, MlirType atom);

template <typename SelfT>
void bindAtom(typename SelfT::ClassTy &c) {
  c.def_prop_ro(
      "is_static", [](SelfT &self) { return flyTypeIsStatic(self); },
      "True if the type has exactly one value: the atom carries no state.");
  c.def_prop_ro(
      "thr_layout",
      [](SelfT &self) {
        return wrapAsType(self.getContext(), flyAtomGetThrLayout(self));
      },
      "The layout of the threads that execute the atom together.");
  c.def_prop_ro(
      "required_feature",
      [](SelfT &self) { return toStr(flyAtomGetRequiredFeature(self)); },
      "The chip feature that the atom needs; empty if every chip has it.");
  c.def_prop_ro(
      "state_fields",
      [](SelfT &self) { return getStateFields(self.getContext(), self); },
      "The run-time fields of the atom's value: [(name, type)].");
}

template <typename SelfT>
void bindCopy(typename SelfT::ClassTy &c) {
  bindAtom<SelfT>(c);
  c.def_prop_ro(
      "default_val_bits",
      [](SelfT &self) { return flyCopyOpGetDefaultValBits(self); },
      "Bits of one value if the copy is named without a width.");
  c.def_prop_ro(
      "is_whole_tile", [](SelfT &self) { return flyCopyOpIsWholeTile(self); },
      "True if one call moves a whole tile of any rank.");
  c.def_prop_ro("thr_bit_layout_src", [](SelfT &self) {
    return wrapAsType(self.getContext(),
                      flyCopyOpGetThrBitLayout(self, FlyCopySideSource));
  });
  c.def_prop_ro("thr_bit_layout_dst", [](SelfT &self) {
    return wrapAsType(self.getContext(),
                      flyCopyOpGetThrBitLayout(self, FlyCopySideDestination));
  });
  c.def_prop_ro("thr_bit_layout_ref", [](SelfT &self) {
    return wrapAsType(self.getContext(),
                      flyCopyOpGetThrBitLayout(self, FlyCopySideReference));
  });
}

template <typename SelfT>
void bindMma(typename SelfT::ClassTy &c) {
  using namespace nanobind::literals;
  bindAtom<SelfT>(c);
  c.def_prop_ro(
      "shape_mnk",
      [](SelfT &self) {
        return wrapAsType(self.getContext(), flyMmaOpGetShapeMNK(self));
      },
      "The extents (M, N, K), an IntTupleType.");
  c.def(
      "val_type",
      [](SelfT &self, int operand) {
        MlirContext context = self.getContext()->get();
        return wrap(self.getContext(), ask(context, "val_type", [&] {
                      return flyMmaOpGetValType(
                          self, static_cast<FlyMmaOperand>(operand));
                    }));
      },
      "operand"_a,
      "The element type of an operand, a member of MmaOperand or its number.");
  auto tv = [](SelfT &self, FlyMmaOperand operand) {
    return wrapAsType(self.getContext(),
                      flyMmaOpGetThrValLayout(self, operand));
  };
  c.def_prop_ro(
      "layout_A_tv",
      [tv](SelfT &self) { return tv(self, FlyMmaOperandA); },
      "(thread, value) to the column-major index in the M x K tile of A.");
  c.def_prop_ro(
      "layout_B_tv",
      [tv](SelfT &self) { return tv(self, FlyMmaOperandB); },
      "(thread, value) to the column-major index in the N x K tile of B.");
  c.def_prop_ro(
      "layout_C_tv",
      [tv](SelfT &self) { return tv(self, FlyMmaOperandC); },
      "(thread, value) to the column-major index in the M x N tile of C.");
}

} // namespace fly::python

#endif // FLY_PYTHON_BINDINGS_LIB_ATOMS_H
