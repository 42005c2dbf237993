// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What of the root graph kernels can compute by rows.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// What a kernel says of rows; null: nothing.
struct row_questions {
  row_window (*window_of)(const program_view&, const node&, std::size_t) = nullptr;
  std::uint32_t (*sum_bytes)(const program_view&, const node&) = nullptr;
  std::int32_t (*rows_at_once)(const program_view&, const node&) = nullptr;
  bool has_pixels = false;
};

template <class Kernel>
constexpr auto row_questions_of() -> row_questions {
  row_questions asked;
  if constexpr (streaming_kernel<Kernel>) {
    asked.window_of = Kernel::window_of;
    asked.has_pixels = pixel_kernel<Kernel>;
    if constexpr (summing_kernel<Kernel>) asked.sum_bytes = Kernel::sum_bytes;
    if constexpr (row_block_kernel<Kernel>) asked.rows_at_once = Kernel::rows_at_once;
  }
  return asked;
}

class row_graph_builder {
 public:
  constexpr row_graph_builder(const program_view& program, span<const row_questions> asked, span<const std::uint32_t> chosen,
                              const schedule& order)
      : program_(program),
        order_(order),
        asked_(asked),
        chosen_(chosen),
        producers_(program.values.size(), npos) {}

  constexpr auto run() -> row_graph {
    for (std::uint32_t n = 0; n < program_.root().nodes.size; ++n) {
      const auto at = order_.nodes[n];
      add(index(at));
      for (const auto output : program_.outputs_of(program_[at])) producers_[index(output)] = n;
    }
    return std::move(made_);
  }

 private:
  constexpr void add(std::uint32_t at) {
    const auto& record = program_.nodes[at];
    row_node made;
    made.operands.first = static_cast<std::uint32_t>(made_.operands.size());
    if (chosen_[at] < asked_.size() && asked_[chosen_[at]].window_of != nullptr && record.outputs.size == 1) {
      made.has_rows = describe(made, record, asked_[chosen_[at]]);
    }
    if (!made.has_rows) made_.operands.resize(made.operands.first);
    made.operands.size = static_cast<std::uint32_t>(made_.operands.size()) - made.operands.first;
    made_.nodes.push_back(made);
  }

  constexpr auto describe(row_node& made, const node& record, const row_questions& asked) -> bool {
    made.output = program_.outputs_of(record)[0];
    const auto image = image_of(program_, made.output);
    if (!image.is_image) return false;
    made.rows = image.rows;
    made.columns = image.columns;
    made.pixel_bytes = image.pixel_bytes;
    if (asked.rows_at_once != nullptr) made.rows_at_once = std::clamp<std::int32_t>(asked.rows_at_once(program_, record), 1, made.rows);
    made.has_pixels = asked.has_pixels && made.rows_at_once == 1;
    const auto inputs = program_.inputs(record);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == none<value_id> || !needs_memory(program_[inputs[i]])) continue;
      const auto window = asked.window_of(program_, record, i);
      const auto from = image_of(program_, inputs[i]);
      if (window == row_window::none() || !from.is_image) return false;
      const auto row_bytes = from.pixel_bytes * static_cast<std::uint32_t>(from.columns);
      made_.operands.push_back({inputs[i], producers_[index(inputs[i])], from.rows, row_bytes, window});
    }
    const auto operands = made_.operands.size() - made.operands.first;
    if (asked.sum_bytes != nullptr && made.rows == 1 && operands == 1) made.sum_bytes = asked.sum_bytes(program_, record);
    return operands != 0;
  }

  program_view program_;
  const schedule& order_;
  span<const row_questions> asked_;
  span<const std::uint32_t> chosen_;
  vector<std::uint32_t> producers_;
  row_graph made_;
};

/// The root graph by rows, its nodes in the order of the schedule; `chosen` is `execution_plan::kernels`.
template <class... Kernels>
constexpr auto rows_of_kernels(kernel_list<Kernels...>, const program_view& program, span<const std::uint32_t> chosen,
                               const schedule& order) -> row_graph {
  constexpr std::array<row_questions, sizeof...(Kernels)> asked{row_questions_of<Kernels>()...};
  return row_graph_builder(program, {asked.data(), asked.size()}, chosen, order).run();
}

}  // namespace baton::detail
