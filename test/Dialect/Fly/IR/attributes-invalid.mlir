// RUN: fly-opt %s -split-input-file -verify-diagnostics

// expected-error @+2 {{expected valid keyword or string}}
// expected-error @+1 {{failed to parse Fly_MmaOperandAttr parameter 'value' which is to be a `::fly::MmaOperand`}}
func.func private @enum_with_brackets() attributes {x = #fly.mma_operand<a>}

// -----

// expected-error @+2 {{failed to parse Fly_AddressSpaceAttr parameter 'value' which is to be a `::fly::AddressSpace`}}
// expected-error @+1 {{expected ::fly::AddressSpace to be one of: generic, global, shared, register}}
func.func private @enum_word() attributes {x = #fly<address_space local>}

// -----

// expected-error @+1 {{unknown attribute `foo` in dialect `fly`}}
func.func private @unknown() attributes {x = #fly<foo 1>}

// -----

// expected-error @+1 {{expected an integer, '?', '*' or '('}}
func.func private @empty_tuple() attributes {x = #fly<int_tuple()>}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @two_bodies() attributes {x = #fly.int_tuple<(4,?),1>}

// -----

// expected-error @+1 {{alignment must be positive and less than 2^31, got 0}}
func.func private @align() attributes {x = #fly<align align<0>>}

// -----

// expected-error @+1 {{shape and stride of a layout must have the same profile, got 4:(1,2)}}
func.func private @layout() attributes {x = #fly<layout 4:(1,2)>}
