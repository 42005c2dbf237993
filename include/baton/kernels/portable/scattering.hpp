// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Slices (ranges of contiguous elements) that are added to a tensor of zeros, at the positions in an operand: `tfl.scatter_nd`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/positions.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a scattering: a slice of the updates (operand 1) is added to the output at each of the `count` positions in
/// operand 0.
struct scattering {
  dtype type = dtype::float32;
  std::int32_t out_bytes = 0;
  std::int32_t count = 1;
  std::int32_t slice = 1;  ///< elements per slice
  positions at{};
};

constexpr auto describe_scattering(const program_view& program, const node& record) -> node_description<scattering> {
  node_check check{program, record};
  check.conforms();
  const auto indices = check.input_or_empty(0, "position");
  const auto updates = check.input_or_empty(1, "updates");
  check.constant_integers(2, "shape");
  const auto out = check.output();
  scattering plan;
  plan.type = out.type;
  plan.at = describe_positions(check, indices);
  check.is_one_of(out, {dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32, dtype::int64}, "output");
  check.same_type(updates, out);
  const auto bytes = moved_bytes(check, out, "output");
  choose_dimensions(check, out, indices, byte_steps(out.shape, bytes), plan.at);
  if (!check.ok()) return {check.verdict_so_far(), plan};
  plan.out_bytes = out.count * bytes;
  const auto chosen = static_cast<std::size_t>(plan.at.index_count);
  for (auto d = chosen; d < out.shape.size(); ++d) plan.slice *= out.size(d);
  const auto outer = indices.shape.size() - 1;
  for (std::size_t d = 0; d < outer; ++d) plan.count *= indices.size(d);
  check.demand(updates.shape.size() == outer + out.shape.size() - chosen, "updates have rank ", updates.shape.size(), ", not ",
               outer + out.shape.size() - chosen);
  for (std::size_t d = 0; check.ok() && d < updates.shape.size(); ++d) {
    const auto expected = d < outer ? indices.shape[d] : out.shape[chosen + d - outer];
    check.demand(updates.shape[d] == expected, "dimension ", d, " of the updates is ", updates.shape[d], ", expected is ", expected);
  }
  return {check.verdict_so_far(), plan};
}

/// Fills `to` with zeros, and adds each slice of `from` at its position in `indices`. Integers wrap around.
template <class T>
[[gnu::always_inline]] inline void add_slices(const scattering& plan, const char* indices, const char* from, char* to) {
  using sum = typename std::conditional_t<std::is_floating_point_v<T>, std::type_identity<T>, std::make_unsigned<T>>::type;
  std::memset(to, 0, static_cast<std::size_t>(plan.out_bytes));
  for (std::int32_t i = 0; i < plan.count; ++i) {
    if (!plan.at.is_inside(indices, i)) continue;
    auto* const slice = to + plan.at.offset(indices, i);
    for (std::int32_t e = 0; e < plan.slice; ++e) {
      store(slice, e, static_cast<T>(static_cast<sum>(load<sum>(slice, e) + load<sum>(from, i * plan.slice + e))));
    }
  }
}

/// A kernel that computes `tfl.scatter_nd` of float32, int8, uint8, int16, int32 or int64, at positions in int32 or int64; the shape is a
/// constant. If several slices have the same position, the output is their sum. A position outside of the output is ignored; the reference
/// writes outside of the tensor, or fails. In all other cases, outputs follow `lite/kernels/scatter_nd.cc`.
struct scatter_nd {
  static constexpr literal_name operators[] = {"tfl.scatter_nd"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::scattering> {
    return detail::describe_scattering(program, record);
  }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    with_element<dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32, dtype::int64>(
        plan.type, [&](auto element) __attribute__((always_inline)) {
          add_slices<typename decltype(element)::type>(plan, memory.inputs[0], memory.inputs[1], memory.outputs[0]);
        });
  }
};
static_assert(kernel<scatter_nd>);

}  // namespace detail

}  // namespace baton::portable
