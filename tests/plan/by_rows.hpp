// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A kernel that is planned by rows, and computes nothing.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Nodes of images. `test.window` has a window of `span` by `span` pixels, `test.add` has two operands of the output's size, and `test.sum`
/// one output row. Each writes a pixel after it has read the window of the pixel.
/// With `whole`, a node is not computed by rows; `rows_per_step` is the number of rows per step. With `single_row_scratch`, the node can
/// also compute single rows.
struct by_rows {
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<> {
    baton::node_description<> result{baton::accept()};
    auto& facts = result.facts;
    const auto window = number(program, record, "whole", 0) != 0 ? baton::row_window::none() : reach(program, record);
    for (std::size_t i = 0; i < record.inputs.size && i < facts.operands.size(); ++i) {
      facts.operands[i] = {distance_of(program, record, i), window};
    }
    facts.rows_per_step = number(program, record, "rows_per_step", 1);
    facts.scratch_bytes = static_cast<std::uint32_t>(number(program, record, "scratch", 0));
    facts.single_row_scratch_bytes = static_cast<std::uint32_t>(number(program, record, "single_row_scratch", -1));
    if (record.is("test.sum")) {
      const auto shape = program.shape(program.outputs_of(record)[0]);
      facts.sum_bytes = static_cast<std::uint32_t>(4 * shape[2] * shape[3]);
    }
    return result;
  }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
  template <class Call>
  static void compute_rows(const Call&, std::int32_t, std::int32_t) {}
  template <class Call>
  static void compute_pixels(const Call&, std::int32_t, std::int32_t, std::int32_t) {}
  template <class Call>
  static void start_sums(const Call&, char*) {}
  template <class Call>
  static void add_row(const Call&, char*, std::int32_t) {}
  template <class Call>
  static void finish_sums(const Call&, const char*) {}

  static constexpr auto number(const baton::program_view& program, const baton::node& record, baton::literal_name key, std::int64_t absent)
      -> std::int32_t {
    return static_cast<std::int32_t>(program.integer(record, key, absent));
  }
  static constexpr auto reach(const baton::program_view& program, const baton::node& record) -> baton::row_window {
    if (record.is("test.add")) return {};
    const baton::row_window::axis columns{number(program, record, "stride", 1), number(program, record, "before", 0),
                                          number(program, record, "span", 1)};
    if (record.is("test.sum")) return {{1, 0, static_cast<std::int32_t>(program.shape(program.inputs(record)[0])[1])}, columns};
    return {columns, columns};
  }

 private:
  /// By replay: the maximum, over all pixels, of the bytes that are written before the pixel minus the offset of its window.
  static constexpr auto distance_of(const baton::program_view& program, const baton::node& record, std::size_t operand)
      -> baton::min_distance {
    const auto in = baton::image_of(program, program.inputs(record)[operand]);
    const auto out = baton::image_of(program, program.outputs_of(record)[0]);
    const auto window = reach(program, record);
    auto min_distance = -std::int64_t{in.rows} * in.columns * in.pixel_bytes;
    for (std::int32_t y = 0; y < out.rows; ++y) {
      for (std::int32_t x = 0; x < out.columns; ++x) {
        const auto written = (std::int64_t{y} * out.columns + x) * out.pixel_bytes;
        const auto first = (std::int64_t{window.rows.first(y)} * in.columns + window.columns.first(x)) * in.pixel_bytes;
        if (written != 0) min_distance = std::max(min_distance, written - first);
      }
    }
    return {min_distance, baton::min_distance::disjoint};
  }
};
