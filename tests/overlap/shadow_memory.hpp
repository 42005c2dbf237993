// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reads and writes of a program's nodes in one array, as a plan of any policy prescribes, whole or by rows. Each byte of the array
// records its contents.
#pragma once

#include "overlap/accesses.hpp"

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace overlap {

/// Nodes of operators of TensorFlow Lite, as a whole.
struct whole_nodes {
  template <class Read, class Write>
  static void replay(const baton::program_view& program, const baton::node& record, baton::write_order order, const Read& read,
                     const Write& write) {
    replayed_node(program, record).replay(order, read, write);
  }
};

/// A memory that records the value and the offset that each byte of an arena holds. The nodes of the root graph read and write in the order
/// of their kernels. Nodes of a segment do so row by row, within their windows. `Whole` replays a node that runs as a whole.
template <class Whole = whole_nodes>
class shadow_memory {
 public:
  shadow_memory(const baton::program_view& program, const baton::memory_plan& plan)
      : program_(program),
        plan_(plan),
        tags_(plan.arena_bytes, nothing),
        done_(nodes().size(), 0),
        link_begin_(nodes().size(), 0),
        buffers_(program.values.size(), 0) {
    for (std::size_t v = 0; v < buffers_.size(); ++v) {
      const auto id = static_cast<value_id>(v);
      if (plan_.storage[id].in != baton::container::bound) continue;
      buffers_[v] = tags_.size();
      tags_.resize(tags_.size() + size_of(id), nothing);
    }
  }

  /// Returns the number of bytes that were read or returned with other contents than expected, or that are outside of the arena. The
  /// addresses of bound values, and bound inputs, must not be overwritten.
  auto run() -> std::size_t {
    constexpr auto tag_of_addresses = std::uint64_t{1} << 62;
    const auto addresses = static_cast<std::int64_t>(plan_.offset_of_addresses());
    const auto address_bytes = plan_.needs.address_entry == baton::npos ? 0 : plan_.needs.lifetimes[plan_.needs.address_entry].bytes;
    write_at(addresses, tag_of_addresses, address_bytes);
    for (const auto id : program_.inputs(program_.root())) {
      if (is_in_arena(id)) write(id, 0, size_of(id));
    }
    for (std::uint32_t n = 0; n < nodes().size(); ++n) {  // positions in the schedule
      segment_ = plan_.streams.segment_of(n);
      if (segment_ == nullptr) {
        run_whole(n);
      } else if (n == segment_->last()) {
        while (done_[n] < rows_of(n).rows) compute_rows(n, rows_of(n).rows);
      }
    }
    for (const auto& output : program_.outputs_of(program_.root())) {
      if (is_in_arena(output.value)) read(output.value, 0, size_of(output.value));
    }
    for (const auto& copy : plan_.needs.copies) {
      if (copy.saved_by == baton::npos && is_in_arena(copy.from)) read(copy.from, 0, static_cast<std::size_t>(copy.bytes));
    }
    read_at(addresses, tag_of_addresses, address_bytes);
    for (const auto id : program_.inputs(program_.root())) {
      if (is_bound(id)) read(id, 0, size_of(id));
    }
    return stale_;
  }

 private:
  using value_id = baton::value_id;
  using row_node = baton::row_node;
  using row_operand = baton::row_operand;
  static constexpr std::uint64_t nothing = UINT64_MAX;
  static constexpr std::int64_t nowhere = -1;

  auto nodes() const -> baton::span<const baton::node> { return program_.nodes_of(program_.root()); }
  auto size_of(value_id id) const -> std::size_t {
    return static_cast<std::size_t>(baton::byte_count(program_[id].type, program_.shape(id)));
  }
  auto entry_of(value_id id) const -> std::uint32_t { return plan_.needs.value_entries[baton::index(id)]; }
  auto is_bound(value_id id) const -> bool { return plan_.storage[plan_.storage.root_of(id).value].in == baton::container::bound; }
  auto is_in_arena(value_id id) const -> bool { return id != baton::none<value_id> && (entry_of(id) != baton::npos || is_bound(id)); }
  /// Returns the offset of a value. The buffers of bound values are after the arena.
  auto offset_of(value_id id) const -> std::uint64_t {
    return is_bound(id) ? buffers_[baton::index(plan_.storage.root_of(id).value)] : plan_.offset_of(id);
  }

  /// Returns the tag of a byte of a value: the value that stores it, and the byte there. Values in a segment have their own tags.
  auto tag_of(value_id id, std::size_t byte) const -> std::uint64_t {
    if (!is_in_arena(id)) return std::uint64_t{1} << 63 | std::uint64_t{baton::index(id)} << 40 | byte;
    for (auto at = plan_.storage[id]; at.in == baton::container::value; at = plan_.storage[id]) {
      byte += at.offset;
      id = static_cast<value_id>(at.id);
    }
    return std::uint64_t{baton::index(id)} << 40 | byte;
  }
  void read_at(std::int64_t at, std::uint64_t tag, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto place = static_cast<std::size_t>(at) + i;
      stale_ += at != nowhere && place < tags_.size() && tags_[place] == tag + i ? 0 : 1;
    }
  }
  void write_at(std::int64_t at, std::uint64_t tag, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto place = static_cast<std::size_t>(at) + i;
      if (at == nowhere || place >= tags_.size()) {
        ++stale_;
      } else {
        tags_[place] = tag + i;
      }
    }
  }
  void read(value_id id, std::size_t first, std::size_t count) {
    read_at(static_cast<std::int64_t>(offset_of(id) + first), tag_of(id, first), count);
  }
  void write(value_id id, std::size_t first, std::size_t count) {
    write_at(static_cast<std::int64_t>(offset_of(id) + first), tag_of(id, first), count);
  }

  void run_whole(std::uint32_t n) {
    const auto at = baton::index(plan_.steps.nodes[n]);
    const auto& record = program_.nodes[at];
    if (record.delegate != baton::none<baton::delegate_id>) return run_delegate(at, record);
    if (const auto entry = plan_.needs.scratch_entries[at]; entry != baton::npos) {
      std::fill_n(place(plan_.offsets[entry]), plan_.needs.lifetimes[entry].bytes, nothing);
    }
    const auto out = program_.outputs_of(record)[0];
    const auto from = program_.inputs(record)[0];
    const bool is_one = record.inputs.size != 0 && is_in_arena(from) && tag_of(from, 0) == tag_of(out, 0) && size_of(from) == size_of(out);
    if (is_one) return;  // the output aliases the operand
    Whole::replay(
        program_, record, plan_.order_of(at),
        [&](std::size_t operand, std::int64_t first, std::int64_t count) {
          const auto id = program_.inputs(record)[operand];
          if (is_in_arena(id)) read(id, static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        },
        [&](std::int64_t first, std::int64_t count) { write(out, static_cast<std::size_t>(first), static_cast<std::size_t>(count)); });
  }
  /// A delegate reads its arguments, overwrites its scratch, and writes its results.
  void run_delegate(std::uint32_t at, const baton::node& record) {
    for (const auto id : program_.inputs(record)) {
      if (is_in_arena(id)) read(id, 0, size_of(id));
    }
    const auto scratch = program_[record.delegate].scratch_bytes;
    if (scratch != 0) std::fill_n(place(plan_.offset_of_scratch(at)), scratch, nothing);
    for (const auto id : program_.outputs_of(record)) write(id, 0, size_of(id));
  }
  auto place(std::uint64_t at) { return tags_.begin() + static_cast<std::ptrdiff_t>(at); }

  // By rows

  auto rows_of(std::uint32_t n) const -> const row_node& { return plan_.streams.graph.nodes[n]; }
  auto rows_per_step(std::uint32_t n) const -> std::int32_t { return kept(n).rows_per_step(rows_of(n)); }
  auto operands(std::uint32_t n) const -> baton::span<const row_operand> { return plan_.streams.graph.operands_of(n); }
  auto is_inside(std::uint32_t n) const -> bool { return n != baton::npos && segment_->first <= n && n < segment_->last(); }
  auto kept(std::uint32_t n) const -> const baton::kept_rows& { return plan_.streams.kept_of(*segment_)[n - segment_->first]; }
  auto is_link(std::uint32_t n) const -> bool { return is_inside(n) && kept(n).pixels != 0; }
  auto memory() const -> std::uint64_t { return plan_.offset_of_scratch(baton::index(plan_.steps.nodes[segment_->first])); }

  /// Returns the address of a pixel of a node's output. `computed`: the number of rows that are complete or being computed.
  auto address(std::uint32_t n, std::int32_t row, std::int32_t column, std::int32_t computed) const -> std::int64_t {
    const auto& node = rows_of(n);
    if (!is_inside(n) || kept(n).in_output) {
      const auto output = is_inside(n) ? rows_of(segment_->last()).output : node.output;
      return static_cast<std::int64_t>(offset_of(output)) + (std::int64_t{row} * node.columns + column) * node.pixel_bytes;
    }
    const auto begin = static_cast<std::int64_t>(memory()) + kept(n).offset;
    if (is_link(n)) {
      const auto at = column - link_begin_[n];
      return row != computed - 1 || at < 0 || at >= kept(n).pixels ? nowhere : begin + at * std::int64_t{node.pixel_bytes};
    }
    const auto first = kept(n).in_user ? done_[user_of(n)] : computed - kept(n).rows;
    const auto at = row - first;
    return at < 0 || row >= computed ? nowhere : begin + (std::int64_t{at} * node.columns + column) * node.pixel_bytes;
  }
  static auto byte_of(const row_node& node, std::int32_t row, std::int32_t column) -> std::size_t {
    return (static_cast<std::size_t>(row) * static_cast<std::size_t>(node.columns) + static_cast<std::size_t>(column)) * node.pixel_bytes;
  }

  /// Reads the operand pixels of a pixel of a node, or of a row if all columns are passed.
  void read_operand(const row_operand& operand, std::int32_t row, std::int32_t first, std::int32_t last) {
    const auto image = baton::image_of(program_, operand.value);
    const auto rows = operand.window.rows;
    const auto columns = operand.window.columns;
    const auto begin = columns.first(first);
    const auto end = columns.end(last - 1, image.columns);
    for (auto y = rows.first(row); y < rows.end(row, image.rows); ++y)
      read_row(operand, y, begin, end, is_link(operand.producer) ? row + 1 : 0);
  }
  /// `computed`: for a link, the number of rows that are complete or being computed.
  void read_row(const row_operand& operand, std::int32_t y, std::int32_t begin, std::int32_t end, std::int32_t computed) {
    const auto image = baton::image_of(program_, operand.value);
    for (auto x = begin; x < end; ++x) {
      const auto byte =
          (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.columns) + static_cast<std::size_t>(x)) * image.pixel_bytes;
      if (is_inside(operand.producer)) {
        const auto at = address(operand.producer, y, x, computed != 0 ? computed : done_[operand.producer]);
        read_at(at, tag_of(operand.value, byte), image.pixel_bytes);
      } else {
        read(operand.value, byte, image.pixel_bytes);
      }
    }
  }
  /// Computes pixels of a row. Each is written after its operands are read.
  void run_pixels(std::uint32_t n, std::int32_t row, std::int32_t first, std::int32_t last, std::int32_t computed) {
    const auto& node = rows_of(n);
    for (auto column = first; column < last; ++column) {
      for (const auto& operand : operands(n)) read_operand(operand, row, column, column + 1);
      write_at(address(n, row, column, computed), tag_of(node.output, byte_of(node, row, column)), node.pixel_bytes);
    }
  }

  void collect_step(std::uint32_t n, std::vector<std::uint32_t>& nodes) const {
    for (const auto& operand : operands(n)) {
      if (is_link(operand.producer)) collect_step(operand.producer, nodes);
    }
    if (std::find(nodes.begin(), nodes.end(), n) == nodes.end()) nodes.push_back(n);
  }
  /// Computes the next rows of a node, up to row `limit`.
  void compute_rows(std::uint32_t n, std::int32_t limit) {
    if (n != segment_->first && rows_of(n).sum_bytes != 0) return compute_sum(n);
    const auto row = done_[n];
    const auto end = std::min(row + rows_per_step(n), limit);
    std::vector<std::uint32_t> in_step;
    collect_step(n, in_step);
    std::sort(in_step.begin(), in_step.end());
    for (const auto each : in_step) {
      for (const auto& operand : operands(each)) supply(each, end, operand);
    }
    if (is_inside(n)) make_room(n, row, end);
    auto pixels = rows_of(n).columns;
    for (const auto each : in_step) pixels = each == n ? pixels : std::min(pixels, kept(each).pixels);
    for (auto y = row; y < end; ++y) {
      for (std::int32_t first = 0; first < rows_of(n).columns; first += pixels) {
        for (const auto each : in_step) {
          link_begin_[each] = first;
          overwrite_scratch(each);
          run_pixels(each, y, first, std::min(first + pixels, rows_of(n).columns), end);
        }
      }
    }
    for (const auto each : in_step) done_[each] = end;
  }
  void supply(std::uint32_t n, std::int32_t end, const row_operand& operand) {
    const auto producer = operand.producer;
    if (!is_inside(producer) || is_link(producer)) return;
    const auto demand = baton::demand_of(operand.window.rows, end, rows_per_step(n), operand.rows, rows_per_step(producer));
    while (done_[producer] < demand.needed) compute_rows(producer, demand.max);
  }
  /// Moves the kept rows of a node, or of its user if its rows begin there. Later rows of an operand in node `n` move with its own rows.
  void make_room(std::uint32_t n, std::int32_t row, std::int32_t end) {
    if (kept(n).in_user) return move_rows(user_of(n), row, row + 1);
    if (kept(n).in_output) return;
    for (const auto& operand : operands(n)) {
      const auto inner = operand.producer;
      if (!is_inside(inner) || !kept(inner).in_user) continue;
      if (row % kept(inner).rows == 0) return;
      move_rows(n, row, end);
      const auto begin = place(memory() + kept(inner).offset);
      const auto row_bytes = static_cast<std::ptrdiff_t>(rows_of(inner).row_bytes());
      std::copy(begin + row_bytes, begin + (done_[inner] - row + 1) * row_bytes, begin);
      return;
    }
    move_rows(n, row, end);
  }
  auto user_of(std::uint32_t n) const -> std::uint32_t {
    auto user = n + 1;
    const auto reads_output = [&](const row_operand& each) { return each.producer == n; };
    while (std::none_of(operands(user).begin(), operands(user).end(), reads_output)) ++user;
    return user;
  }
  void move_rows(std::uint32_t n, std::int32_t row, std::int32_t end) {
    if (row == 0 || kept(n).rows <= end - row) return;
    const auto row_bytes = static_cast<std::ptrdiff_t>(rows_of(n).row_bytes());
    const auto begin = place(memory() + kept(n).offset);
    std::copy(begin + (end - row) * row_bytes, begin + kept(n).rows * row_bytes, begin);
  }
  /// The scratch of a kernel may be where kept rows are that are no longer needed.
  void overwrite_scratch(std::uint32_t n) {
    std::fill_n(place(memory() + segment_->scratch_offset), kept(n).scratch_bytes(rows_of(n)), nothing);
  }

  void compute_sum(std::uint32_t n) {
    const auto& operand = operands(n)[0];
    const auto& node = rows_of(n);
    const auto sums = memory() + kept(n).offset;
    const auto tag = std::uint64_t{3} << 62 | std::uint64_t{n} << 40;
    write_at(static_cast<std::int64_t>(sums), tag, node.sum_bytes);
    for (std::int32_t row = 0; row < operand.rows; ++row) {
      while (done_[operand.producer] <= row) compute_rows(operand.producer, operand.rows);
      read_row(operand, row, 0, rows_of(operand.producer).columns, 0);
      overwrite_scratch(n);
      read_at(static_cast<std::int64_t>(sums), tag, node.sum_bytes);
    }
    write(node.output, 0, size_of(node.output));
    done_[n] = 1;
  }

  baton::program_view program_;
  const baton::memory_plan& plan_;
  std::vector<std::uint64_t> tags_;
  std::vector<std::int32_t> done_;        // computed rows of each node
  std::vector<std::int32_t> link_begin_;  // the first pixel that each link has
  std::vector<std::uint64_t> buffers_;    // the offset of each bound value
  const baton::stream_segment* segment_ = nullptr;
  std::size_t stale_ = 0;
};

}  // namespace overlap
