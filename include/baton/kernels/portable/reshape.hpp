// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that keep the elements in order: `tfl.reshape`, `tfl.squeeze`, `tfl.expand_dims`, and `tfl.cast` to the same type. Every dtype
// of fixed size is supported.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/node_check.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a reshape: the number of bytes.
struct reshaping {
  std::size_t bytes = 0;
};

/// True if the shape has axis `axis`, and `stated` is the size of that axis or -1.
constexpr auto matches_axis(std::int64_t stated, span<const std::int64_t> shape, std::size_t axis) -> bool {
  return axis < shape.size() && (stated == -1 || stated == shape[axis]);
}

/// Requires that the shape operand `stated` is int32 and has one element per axis of the output. If the operand is constant, also requires
/// that its elements match the output's shape; -1 matches every size. If the operand is not constant, its elements are not compared,
/// because the program states the output's shape.
constexpr void check_shape_operand(node_check& check, const program_view& program, const operand& stated, const operand& out) {
  check.demand(stated.type == dtype::int32, "shape is ", facts(stated.type).name);
  if (is_owned_data(stated.kind)) check.constant_data(stated, "shape");
  if (!check.demand(static_cast<std::size_t>(stated.count) == out.shape.size(), "shape has ", stated.count, " sizes, output has rank ",
                    out.shape.size())) {
    return;
  }
  if (!is_owned_data(stated.kind)) return;
  const auto bytes = program.data(stated.data);
  for (std::size_t i = 0; i < out.shape.size(); ++i) {
    const auto size = static_cast<std::int32_t>(quantized::little_endian_32(bytes, i));
    check.demand(matches_axis(size, out.shape, i), "shape has ", size, " for axis ", i, ", output has ", out.shape[i]);
  }
}

/// Requires that the output has the shape in the second operand, or in the option `new_shape` if there is no such operand. Requires nothing
/// if both are absent.
constexpr void check_new_shape(node_check& check, const program_view& program, const node& record, const operand& out) {
  if (check.has_input(1)) {
    // The shape operand of a scalar has no elements. It is not checked, because `check.input` refuses empty operands.
    if (!out.shape.empty()) check_shape_operand(check, program, check.input(1, "shape"), out);
  } else if (const auto* stated = program.find(record, "new_shape");
             check.ok() && stated != nullptr && stated->kind == attribute_kind::integers) {
    const auto sizes = program.integer_list(stated->list);
    bool agrees = sizes.size() == out.shape.size();
    for (std::size_t i = 0; agrees && i < sizes.size(); ++i) agrees = matches_axis(sizes[i], out.shape, i);
    check.demand(agrees, "output does not have the shape of the option new_shape");
  }
}

/// Describes a reshape. Input and output may have different quantizations, because the reference copies the bytes unchanged.
constexpr auto describe_reshape(const program_view& program, const node& record) -> node_description<reshaping> {
  node_check check{program, record};
  const bool is_reshape = record.is("tfl.reshape");
  if (is_reshape) check.counts(1, 2);
  if (!is_reshape) check.conforms();
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.same_type(in, out);
  check.demand(in.count == out.count, "input has ", in.count, " elements, output ", out.count);
  if (is_reshape) check_new_shape(check, program, record, out);
  return {check.verdict_so_far(), {static_cast<std::size_t>(byte_count(in.type, in.shape))}, {.output_aliases_input = true}};
}

/// True if the first output has the type of the first operand.
constexpr auto keeps_type(const program_view& program, const node& record) -> bool {
  if (record.inputs.size == 0 || record.outputs.size == 0 || program.inputs(record)[0] == none<value_id>) return false;
  return program[program.inputs(record)[0]].type == program[program.outputs_of(record)[0]].type;
}

}  // namespace detail

/// A kernel that computes operators that keep the bytes unchanged. If the planner assigns the memory of the input to the output, nothing is
/// copied.
struct reshape {
  static constexpr literal_name operators[] = {"tfl.reshape", "tfl.squeeze", "tfl.expand_dims", "tfl.cast"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::reshaping> {
    if (record.is("tfl.cast") && !detail::keeps_type(program, record)) return {refuse()};  // `convert` computes a cast to another type
    return detail::describe_reshape(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::reshaping& plan, const node_memory& memory) {
    if (memory.inputs[0] != memory.outputs[0]) std::memmove(memory.outputs[0], memory.inputs[0], plan.bytes);
  }
};
static_assert(kernel<reshape>);

}  // namespace baton::portable
