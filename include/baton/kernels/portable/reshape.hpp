// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The same elements in another shape, `tfl.reshape`, for every dtype of fixed size.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/quantized.hpp>
#include <baton/run/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// What the compiler knows of a reshape: how many bytes pass.
struct reshaping {
  std::size_t bytes = 0;
};

/// Whether a stated size is that of the shape's axis; -1 is any.
constexpr auto names_size(std::int64_t stated, span<const std::int64_t> shape, std::size_t axis) -> bool {
  return axis < shape.size() && (stated == -1 || stated == shape[axis]);
}

/// Demands that the second operand is a constant which states the output's shape.
constexpr void check_shape_operand(node_check& check, const program_view& program, const operand& stated, const operand& out) {
  check.demand(stated.type == dtype::int32, "shape is ", facts(stated.type).name);
  check.constant_data(stated, "shape");
  if (!check.demand(static_cast<std::size_t>(stated.count) == out.shape.size(), "shape has ", stated.count, " sizes, output has rank ",
                    out.shape.size())) {
    return;
  }
  const auto bytes = program.data(stated.data);
  for (std::size_t i = 0; i < out.shape.size(); ++i) {
    const auto size = static_cast<std::int32_t>(little_endian_32(bytes, i));
    check.demand(names_size(size, out.shape, i), "shape says ", size, " for axis ", i, ", output has ", out.shape[i]);
  }
}

/// The output's shape is that of its tensor; the second operand must agree if it is there, else the option `new_shape` if it is.
/// Quantization may differ: the reference moves the bytes as they are.
constexpr auto describe_reshape(const program_view& program, const node& record) -> description<reshaping> {
  node_check check{program, record};
  check.counts(1, 2);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.demand(in.type == out.type, "input is ", facts(in.type).name, ", output ", facts(out.type).name);
  check.demand(in.count == out.count, "input has ", in.count, " elements, output ", out.count);
  if (check.has_input(1)) {
    // An empty shape makes a scalar, and would fail as an empty operand.
    if (!out.shape.empty()) check_shape_operand(check, program, check.input(1, "shape"), out);
  } else if (const auto* stated = program.find(record, "new_shape");
             check.ok() && stated != nullptr && stated->kind == attribute_kind::integers) {
    const auto sizes = program.integer_list(stated->list);
    bool agrees = sizes.size() == out.shape.size();
    for (std::size_t i = 0; agrees && i < sizes.size(); ++i) agrees = names_size(sizes[i], out.shape, i);
    check.demand(agrees, "output does not have the new shape");
  }
  return {check.verdict_so_far(), {static_cast<std::size_t>(byte_count(in.type, in.shape))}};
}

}  // namespace detail

/// `tfl.reshape`. The planner may give its output the input's memory (`forwards_input`): then nothing is left of it.
struct reshape {
  static constexpr bool forwards_input = true;

  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.reshape")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return detail::describe_reshape(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto bytes = detail::describe_reshape(Call::program(), Call::record()).plan.bytes;
    const char* from = call.template input<0>();
    char* to = call.template output<0>();
    if (from != to) std::memmove(to, from, bytes);
  }
};
static_assert(kernel<reshape>);

}  // namespace baton::portable
