// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// `baton.lookup`: a function of one byte, as a table.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/image_rows.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// The plan of a lookup.
struct table_lookup {
  std::int32_t count = 1;
  std::int32_t width = 1;  ///< the bytes of an element of the table
  std::uint32_t flip = 0;  ///< the bits of an input that are inverted, so that the smallest input becomes index 0
};

/// A kernel that computes `baton.lookup`. The operands are an input of int8 or uint8, and a constant table of 256 elements of 8, 16 or 32
/// bits. Element 0 of the table is the output for the smallest input, element 255 the output for the largest. Elements are written in
/// ascending order. Each is written after its input is read.
struct lookup {
  static constexpr literal_name operators[] = {"baton.lookup"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<table_lookup> {
    node_check check{program, record};
    check.conforms();
    check.counts(2, 2);
    const auto in = check.input(0, "input");
    const auto table = check.input(1, "table");
    const auto bits = static_cast<std::int32_t>(facts(table.type).bits);
    check.is_one_of(in, {dtype::int8, dtype::uint8}, "input");
    check.demand(bits == 8 || bits == 16 || bits == 32, "table is ", facts(table.type).name);
    check.constant_data(table, "table");
    auto facts = elementwise_facts(check, program, record);
    facts.operands[0].window = {};  // an output pixel depends on the same pixel of the input
    return {check.verdict_so_far(), {in.count, bits / 8, in.type == dtype::int8 ? 0x80u : 0u}, facts};
  }

  [[gnu::always_inline]] static void compute(const table_lookup& plan, const node_memory& memory) {
    compute_elements(plan, memory.inputs[0], memory.outputs[0], plan.count, memory.inputs[1]);
  }
  /// Computes `count` elements.
  [[gnu::always_inline]] static void compute_elements(const table_lookup& plan, const char* from, char* to, std::int32_t count,
                                                      const char* table) {
    switch (plan.width) {
      case 1:
        return apply<std::uint8_t>(plan.flip, from, to, count, table);
      case 2:
        return apply<std::uint16_t>(plan.flip, from, to, count, table);
      default:
        return apply<std::uint32_t>(plan.flip, from, to, count, table);
    }
  }

  /// Computes the output rows [`first`, `last`). Available if the output is [N, H, W, C].
  template <class Call>
    requires(Call::record().is("baton.lookup") && has_image_output<Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    compute_image_rows<lookup>(call, first, last, call.template input<1>());
  }
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    compute_image_pixels<lookup>(call, row, first, last, call.template input<1>());
  }

 private:
  template <class T>
  [[gnu::always_inline]] static void apply(std::uint32_t flip, const char* from, char* to, std::int32_t count, const char* table) {
    for (std::int32_t i = 0; i < count; ++i) {
      store(to, i, load<T>(table, static_cast<std::ptrdiff_t>(load<std::uint8_t>(from, i) ^ flip)));
    }
  }
};
static_assert(kernel<lookup>);

}  // namespace baton::portable::detail
