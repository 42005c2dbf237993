// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs of images for the kernel `by_rows`, and the number of stale reads of a plan.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/shared/streams.hpp>

#include "overlap/shadow_memory.hpp"
#include "plan/by_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace plan_tests {

using namespace baton;

struct image_size {
  int rows;
  int columns;
  int channels;
};

/// Optional parts of a random graph, in addition to nodes that can run by rows.
struct graph_parts {
  bool joins = false;
  bool delegates = false;  ///< nodes `test.machine`, to be lowered
  bool states = false;
  int max_scratch = 20;  ///< bytes
};

class random_graph {
 public:
  explicit random_graph(std::mt19937& random, const graph_parts& parts = {}) : random_(random), parts_(parts) {}

  auto run() -> exported_program {
    image_size size{below(12) + 1, below(8) + 1, below(5) + 1};
    auto latest = build_.user_input("x", type(size));
    const auto blocks = 1 + below(5);
    for (int block = 0; block < blocks; ++block) {
      latest = below(3) == 0 ? residual(latest, size) : chain(latest, size, 1 + below(3));
      if (parts_.joins && below(2) == 0) latest = joint(latest, size);
      if (parts_.delegates && below(2) == 0) latest = delegated(latest, size);
      if (parts_.states && below(2) == 0) latest = state(latest, size);
    }
    if (below(2) == 0) latest = sum(latest, size);
    if (below(4) == 0) build_.output(chain(latest, size, 1));
    build_.output(latest);
    return build_.finish();
  }

 private:
  auto below(int limit) -> int { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  static auto type(const image_size& size) -> tensor_type { return tensor(dtype::int8, 1, size.rows, size.columns, size.channels); }

  auto window(value_id from, image_size& size, bool keeps_size) -> value_id {
    const auto span = 1 + below(4);
    const auto stride = keeps_size ? 1 : 1 + below(3) / 2;
    const auto before = below(span);
    const auto output_size = [&](int in) { return keeps_size ? in : std::max(1, (in + before - span) / stride + 1); };
    size = {output_size(size.rows), output_size(size.columns), below(2) == 0 ? size.channels : 1 + below(30)};
    const bool is_plain = below(2) == 0;
    return build_.call("test.window", {from}, type(size),
                       {{"span", is_plain && keeps_size ? 1 : span},
                        {"stride", stride},
                        {"before", is_plain && keeps_size ? 0 : before},
                        {"whole", below(12) == 0 ? 1 : 0},
                        {"rows_per_step", below(4) == 0 ? 2 + below(3) : 1},
                        {"scratch", below(6) == 0 ? 1 + below(parts_.max_scratch) : 0},
                        {"single_row_scratch", (size.rows + size.channels) % 2 == 0 ? size.channels : -1}});
  }
  auto chain(value_id from, image_size& size, int length) -> value_id {
    for (int i = 0; i < length; ++i) from = window(from, size, below(2) == 0);
    return from;
  }
  auto residual(value_id from, image_size& size) -> value_id {
    auto inner = size;
    auto branch = from;
    const auto length = 1 + below(3);
    for (int i = 0; i < length; ++i) branch = window(branch, inner, true);
    auto other = from;
    if (below(2) == 0 || inner.channels != size.channels) {
      other = build_.call("test.window", {from}, type({size.rows, size.columns, inner.channels}), {{"span", 1 + below(2)}});
    }
    size = inner;
    return below(2) == 0 ? build_.call("test.add", {branch, other}, type(size)) : build_.call("test.add", {other, branch}, type(size));
  }
  /// Concatenates two images vertically.
  auto joint(value_id from, image_size& size) -> value_id {
    size.channels = 1 + below(12);
    const auto part = [&] { return build_.call("test.window", {from}, type(size), {{"span", 3}, {"before", 1}}); };
    const auto upper = part();
    const auto lower = part();
    size.rows *= 2;
    return build_.call("test.join", {upper, lower}, type(size));
  }
  /// The output of a delegate, which is sometimes added to its argument.
  auto delegated(value_id from, const image_size& size) -> value_id {
    const auto output = build_.call("test.machine", {from}, type(size));
    return below(2) == 0 ? output : build_.call("test.add", {output, from}, type(size));
  }
  /// Adds a state to a value. The sum becomes the new state.
  auto state(value_id from, const image_size& size) -> value_id {
    const auto name = "state_" + std::to_string(states_++);
    const auto buffer =
        build_.mutable_buffer(name, type(size), std::string(static_cast<std::size_t>(size.rows * size.columns * size.channels), '\0'));
    const auto next = build_.call("test.add", {from, buffer}, type(size));
    build_.mutation(next, name);
    return next;
  }
  auto sum(value_id from, image_size& size) -> value_id {
    size.rows = 1;
    return build_.call("test.sum", {from}, type(size));
  }

  std::mt19937& random_;
  graph_parts parts_;
  int states_ = 0;
  program_builder build_;
};

/// Replays a node as a whole: each pixel is written after its window is read.
struct whole_images {
  template <class Read, class Write>
  static void replay(const program_view& program, const node& record, write_order, const Read& read, const Write& write) {
    if (record.is("test.join")) return replay_joint(program, record, read, write);
    const auto window = by_rows::reach(program, record);
    const auto out = image_of(program, program.outputs_of(record)[0]);
    const auto inputs = program.inputs(record);
    for (std::int32_t pixel = 0; pixel < out.rows * out.columns; ++pixel) {
      const auto row = pixel / out.columns;
      const auto column = pixel % out.columns;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto in = image_of(program, inputs[i]);
        const auto first = window.columns.first(column);
        const auto count = window.columns.end(column, in.columns) - first;
        for (auto y = window.rows.first(row); count > 0 && y < window.rows.end(row, in.rows); ++y) {
          read(i, (std::int64_t{y} * in.columns + first) * in.pixel_bytes, std::int64_t{count} * in.pixel_bytes);
        }
      }
      write(std::int64_t{pixel} * out.pixel_bytes, std::int64_t{out.pixel_bytes});
    }
  }

 private:
  template <class Read, class Write>
  static void replay_joint(const program_view& program, const node& record, const Read& read, const Write& write) {
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < record.inputs.size; ++i) {
      const auto id = program.inputs(record)[i];
      const auto bytes = byte_count(program[id].type, program.shape(id));
      read(i, std::int64_t{0}, bytes);
      write(begin, bytes);
      begin += bytes;
    }
  }
};
inline auto stale_reads(const program_view& program, const memory_plan& plan) -> std::size_t {
  return overlap::shadow_memory<whole_images>(program, plan).run();
}

}  // namespace plan_tests
