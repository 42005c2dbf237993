// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of kernels: `compute` writes every byte of its outputs and nothing else but its scratch and its states, and reads nothing but
// its operands. Rows equal the whole and depend on the declared windows alone. An output at the declared distance from an operand
// overwrites nothing that is read later. Facts have the functions that they need. Forms have the same outputs. tests/laws/kernel_test.cpp
// breaks each.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/prepared_elements.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace laws::kernel {

using bytes = baton::vector<char>;

/// An accepting verdict has no reason.
template <baton::kernel Kernel>
constexpr auto acceptance_has_no_reason(const baton::program_view& program) -> bool {
  for (const auto& node : program.nodes) {
    const auto answer = baton::ask_kernel<Kernel>(program, node).support;
    if (answer.accepted && !answer.reason.empty()) return false;
  }
  return true;
}

/// The position of an operand that overlaps an output: at the distance that the kernel declares, or `nearer_by` bytes nearer. Has no
/// padding, because it is a template argument.
struct nearness {
  std::size_t operand = SIZE_MAX;  ///< `SIZE_MAX`: no overlap
  std::int64_t nearer_by = 0;
  std::uint64_t descends = 0;
  std::size_t output = 0;

  constexpr auto is_near() const -> bool { return operand != SIZE_MAX; }
  constexpr auto order() const -> baton::write_order {
    return descends != 0 ? baton::write_order::descending : baton::write_order::ascending;
  }
};

/// Memory for the only node of a program: the user inputs, the states, the outputs and the kernel's scratch, each between fences. Constants
/// are in the model. If `Near` names an operand, that operand overlaps the output instead.
template <class Program, class Kernel, nearness Near = nearness{}>
struct fenced_memory {
  static constexpr std::size_t fence = 64;
  static constexpr baton::kernel_facts facts = baton::ask_kernel<Kernel>(Program::value(), Program::value().nodes[0]).facts;

  static constexpr auto view() -> baton::program_view { return Program::value(); }
  static constexpr auto inputs() -> baton::span<const baton::value_id> { return view().inputs(view().root()); }
  static constexpr auto outputs() -> baton::span<const baton::value_id> { return view().outputs_of(view().nodes[0]); }
  static constexpr auto size_of(baton::value_id id) -> std::size_t {
    return static_cast<std::size_t>(baton::byte_count(view()[id].type, view().shape(id)));
  }
  /// True if a value is present and stored in this memory: a user input or a state.
  static constexpr auto is_in_memory(baton::value_id id) -> bool {
    if (id == baton::none<baton::value_id>) return false;
    return view()[id].kind == baton::value_kind::user_input || view()[id].kind == baton::value_kind::mutable_buffer;
  }
  /// Returns the offset of a value, or of scratch for the null id.
  static constexpr auto begin_of(baton::value_id wanted) -> std::size_t {
    if constexpr (Near.is_near()) {
      if (wanted == view().inputs(view().nodes[0])[Near.operand]) return begin_of_near();
    }
    std::size_t at = fence;
    const auto is_before = [&](baton::value_id id) {
      if (id == wanted) return false;
      at += rounded(size_of(id)) + fence;
      return true;
    };
    for (const auto id : inputs()) {
      if (is_in_memory(id) && !is_before(id)) return at;
    }
    for (std::size_t i = 0; i < outputs().size(); ++i) {
      if (!(Near.is_near() && i == Near.output) && !is_before(outputs()[i])) return at;
    }
    if constexpr (Near.is_near()) {
      at += rounded(size_of(view().inputs(view().nodes[0])[Near.operand]));  // it may begin before the output
      if (!is_before(outputs()[Near.output])) return at;
    }
    return at;
  }
  static constexpr auto size() -> std::size_t {
    const auto near = Near.is_near() ? rounded(size_of(view().inputs(view().nodes[0])[Near.operand])) : 0;  // or end after it
    return begin_of(baton::none<baton::value_id>) + near + rounded(facts.scratch_bytes) + fence;
  }

  template <baton::value_id Id>
  static auto address(const char* memory) -> const char* {
    if constexpr (baton::is_owned_data(Program::value()[Id].kind) && !is_in_memory(Id)) {
      static constexpr auto data = baton::program_view(Program::value()).data(Program::value()[Id].data);
      return data.data();
    } else {
      return memory + begin_of(Id);
    }
  }
  template <baton::value_id Id>
  static auto writable(char* memory) -> char* {
    return memory + begin_of(Id);
  }
  template <std::uint32_t>
  static auto scratch(char* memory) {
    return std::span<char, facts.scratch_bytes>{memory + size() - fence - rounded(facts.scratch_bytes), facts.scratch_bytes};
  }
  template <std::uint32_t Index>
  static constexpr auto prepared() {
    return baton::prepared_for<Program, Kernel, Index>();
  }
  static constexpr auto order_of(std::uint32_t) -> baton::write_order { return Near.order(); }

 private:
  static constexpr auto rounded(std::size_t size) -> std::size_t { return (size + 15) / 16 * 16; }
  static constexpr auto begin_of_near() -> std::size_t {
    const auto operand = view().inputs(view().nodes[0])[Near.operand];
    const auto distance = facts.operand(Near.operand).distance;
    const auto output = outputs()[Near.output];
    const auto begin = static_cast<std::int64_t>(begin_of(output));
    if (Near.order() == baton::write_order::ascending) return static_cast<std::size_t>(begin + distance.ascending - Near.nearer_by);
    const auto both = static_cast<std::int64_t>(size_of(output)) - static_cast<std::int64_t>(size_of(operand));
    return static_cast<std::size_t>(begin + both - distance.descending + Near.nearer_by);
  }
};

/// The contents of memory before a kernel runs.
struct poison {
  char in_outputs = '\x5a';
  char elsewhere = '\x5a';
  char in_scratch = '\x5a';
};

/// Runs a kernel on a program's only node, and checks which bytes it writes. `input` has the bytes of the inputs, one after the other.
template <class Kernel, class Program, nearness Near = nearness{}>
class trial {
  using memory_map = fenced_memory<Program, Kernel, Near>;

 public:
  using call = baton::node_call<Program, 0, memory_map>;

  /// Returns the bytes of the outputs and of the states that the operator may write, one after the other. `run(call)` computes the node.
  template <class F>
  auto run(const bytes& input, F run, poison before = {}) -> bytes {
    fill(memory_, input, before);
    auto expected = memory_;
    run(call{memory_.data()});
    bytes results;
    const auto allow = [&](const char* from, std::size_t size) { std::copy_n(from, size, expected.data() + (from - memory_.data())); };
    const auto add_result = [&](baton::value_id id) {
      const auto* from = memory_.data() + memory_map::begin_of(id);
      results.insert(results.end(), from, from + memory_map::size_of(id));
      allow(from, memory_map::size_of(id));
    };
    for (const auto id : memory_map::outputs()) add_result(id);
    constexpr auto view = memory_map::view();
    if (baton::writes_a_state(view, view.nodes[0])) {
      for (const auto id : view.inputs(view.nodes[0])) {
        if (id != baton::none<baton::value_id> && view[id].kind == baton::value_kind::mutable_buffer) add_result(id);
      }
    }
    allow(memory_map::template scratch<0>(memory_.data()).data(), memory_map::facts.scratch_bytes);
    wrote_only_outputs_ = expected == memory_;
    return results;
  }
  auto run(const bytes& input, poison before = {}) -> bytes {
    return run(input, [](const call& c) { baton::compute_node<Kernel>(c); }, before);
  }
  /// True if the last run wrote nothing but outputs, states and scratch.
  auto wrote_only_outputs() const -> bool { return wrote_only_outputs_; }

 private:
  static void fill(bytes& memory, const bytes& input, poison before) {
    memory.assign(memory_map::size(), before.elsewhere);
    const auto scratch = memory_map::template scratch<0>(memory.data());
    std::fill(scratch.begin(), scratch.end(), before.in_scratch);
    for (const auto id : memory_map::outputs())
      std::fill_n(memory.data() + memory_map::begin_of(id), memory_map::size_of(id), before.in_outputs);
    std::size_t first = 0;
    for (const auto id : memory_map::inputs()) {
      if (memory_map::view()[id].kind == baton::value_kind::mutable_buffer) {
        auto* to = memory.data() + memory_map::begin_of(id);
        std::fill_n(to, memory_map::size_of(id), '\0');
        const auto data = memory_map::view().data(memory_map::view()[id].data);
        std::copy(data.begin(), data.end(), to);
      }
      if (memory_map::view()[id].kind != baton::value_kind::user_input) continue;
      std::memcpy(memory.data() + memory_map::begin_of(id), input.data() + first, memory_map::size_of(id));
      first += memory_map::size_of(id);
    }
  }

  bytes memory_;
  bool wrote_only_outputs_ = true;
};

/// It writes every byte of its outputs, and reads none before: their previous contents have no effect.
template <class Kernel, class Program>
auto writes_all_outputs(const bytes& input) -> bool {
  trial<Kernel, Program> at;
  return at.run(input, {'\x5a', '\x00'}) == at.run(input, {'\xa5', '\x00'});
}

/// It prepares the same constant with any number of blocks per call, and the constant of a static program is the same.
template <class Kernel, class Program>
constexpr auto prepare_is_consistent() -> bool {
  if constexpr (baton::preparing_kernel<Kernel>) {
    const baton::program_view program = Program::value();
    const auto& record = program.nodes[0];
    const auto all = baton::prepare_node<Kernel>(program, record);
    const auto constant = baton::prepared_for<Program, Kernel, 0>();
    if (!std::equal(all.begin(), all.end(), constant.begin(), constant.end())) return false;
    for (const std::size_t blocks : {1u, 2u, 3u, 5u}) {
      const auto some = baton::prepare_node<Kernel>(program, record, blocks);
      if (!std::equal(all.begin(), all.end(), some.begin(), some.end())) return false;
    }
  }
  return true;
}

/// The previous contents of scratch have no effect.
template <class Kernel, class Program>
auto ignores_scratch_contents(const bytes& input) -> bool {
  trial<Kernel, Program> at;
  return at.run(input, {'\x00', '\x00', '\x5a'}) == at.run(input, {'\x00', '\x00', '\xa5'});
}

/// It writes nothing else: no memory around its outputs and its scratch, and no input.
template <class Kernel, class Program>
auto writes_only_outputs(const bytes& input) -> bool {
  trial<Kernel, Program> at;
  for (const char elsewhere : {'\x5a', '\xa5'}) {
    at.run(input, {elsewhere, elsewhere, elsewhere});
    if (!at.wrote_only_outputs()) return false;
  }
  return true;
}

/// It reads nothing but its operands: the memory around them has no effect.
template <class Kernel, class Program>
auto reads_only_operands(const bytes& input) -> bool {
  trial<Kernel, Program> at;
  const auto once = at.run(input, {'\x00', '\x5a'});
  return once == at.run(input, {'\x00', '\xa5'}) && once == at.run(input, {'\x00', '\x7f'});
}

/// Its rows, each computed alone, in any order, equal those of the whole. An empty range writes nothing.
template <class Kernel, class Program>
auto rows_equal_whole(const bytes& input) -> bool {
  if constexpr (baton::row_kernel<Kernel, typename trial<Kernel, Program>::call>) {
    using memory_map = fenced_memory<Program, Kernel>;
    constexpr auto out = memory_map::outputs()[0];
    constexpr auto rows = static_cast<std::int32_t>(memory_map::view().shape(out)[0] * memory_map::view().shape(out)[1]);
    constexpr auto row_bytes = static_cast<std::ptrdiff_t>(memory_map::size_of(out)) / rows;
    trial<Kernel, Program> at;
    const auto whole = at.run(input);
    const auto equals_whole = [&](std::int32_t first, std::int32_t last) {
      const auto part = at.run(input, [&](const auto& call) { Kernel::compute_rows(call, first, last); });
      auto expected = bytes(whole.size(), poison{}.in_outputs);
      std::copy(whole.begin() + first * row_bytes, whole.begin() + last * row_bytes, expected.begin() + first * row_bytes);
      return part == expected && at.wrote_only_outputs();
    };
    for (std::int32_t row = 0; row < rows; ++row) {
      if (!equals_whole(row, row + 1) || !equals_whole(row / 2, row)) return false;
    }
    return equals_whole(0, rows) && equals_whole(rows, rows);
  } else {
    return true;
  }
}

/// Its chunks, computed in ascending order with any number of chunks per call, equal the whole. With `Near`, an operand overlaps an output.
template <class Kernel, class Program, nearness Near = nearness{}>
auto chunks_equal_whole(const bytes& input) -> bool {
  static constexpr auto chunks = fenced_memory<Program, Kernel>::facts.chunks;
  if constexpr (chunks > 1) {
    const auto whole = trial<Kernel, Program>{}.run(input);
    trial<Kernel, Program, Near> at;
    for (const std::int32_t count : {1, 2, 3, chunks}) {
      const auto parts = at.run(input, [count](const auto& call) {
        for (std::int32_t first = 0; first < chunks; first += count) Kernel::compute_chunks(call, first, std::min(first + count, chunks));
      });
      if (parts != whole || (!Near.is_near() && !at.wrote_only_outputs())) return false;
    }
  }
  return true;
}

/// Runs a kernel by rows: rows and pixels depend on the declared windows alone, and the sums of all rows equal the whole. All other pixels
/// of the operands are overwritten before.
template <class Kernel, class Program>
class trial_by_rows {
  using memory_map = fenced_memory<Program, Kernel>;
  using call = typename trial<Kernel, Program>::call;

 public:
  explicit trial_by_rows(const bytes& input) : input_(input), whole_(at_.run(input)) {}

  /// True if the planner may run the node by rows: the output and all operands in memory are images, and the operands have windows.
  static constexpr auto has_windows() -> bool {
    if (!out.is_image) return false;
    std::size_t count = 0;
    for (std::size_t i = 0; i < operands().size(); ++i) {
      if (!is_in_memory(operands()[i])) continue;
      if (!image(operands()[i]).is_image || window(i) == baton::row_window::none()) return false;
      ++count;
    }
    return count != 0;
  }

  auto respects_windows() -> bool {
    if constexpr (is_by_rows()) {
      for (std::int32_t row = 0; row < out.rows; ++row) {
        for (const auto count : {1, rows_per_step()}) {
          const auto end = std::min(row + count, out.rows);
          const auto by_row = [row, end](const call& c) { Kernel::compute_rows(c, row, end); };
          if (!computes({row, end}, 0, out.columns, false, by_row)) return false;
        }
        if (!computes_single_row(row) || !computes_pixels(row)) return false;
      }
      return sums_are_correct();
    }
    return true;
  }

  /// Computes its rows in steps, in the order `Order`, at the declared distance from operand `Operand`.
  template <std::size_t Operand, std::int64_t NearerBy, baton::write_order Order>
  auto respects_distance() -> bool {
    if constexpr (is_by_rows()) {
      constexpr bool descends = Order == baton::write_order::descending;
      return trial<Kernel, Program, nearness{Operand, NearerBy, descends}>{}.run(input_, [](const auto& c) {
        const auto steps = (out.rows + rows_per_step() - 1) / rows_per_step();
        for (std::int32_t step = 0; step < steps; ++step) {
          const auto row = (descends ? steps - 1 - step : step) * rows_per_step();
          Kernel::compute_rows(c, row, std::min(row + rows_per_step(), out.rows));
        }
      }) == whole_;
    }
    return true;
  }

 private:
  static constexpr auto view() -> baton::program_view { return Program::value(); }
  static constexpr auto image(baton::value_id id) -> baton::image_facts { return baton::image_of(view(), id); }
  static constexpr auto out = image(memory_map::outputs()[0]);
  static constexpr auto operands() -> baton::span<const baton::value_id> { return view().inputs(view().nodes[0]); }
  static constexpr auto is_in_memory(baton::value_id id) -> bool { return memory_map::is_in_memory(id); }
  static constexpr auto window(std::size_t operand) -> baton::row_window { return memory_map::facts.operand(operand).window; }

  static constexpr auto is_by_rows() -> bool { return has_windows() && baton::row_kernel<Kernel, call>; }
  static constexpr auto rows_per_step() -> std::int32_t { return memory_map::facts.rows_per_step; }
  static constexpr auto is_pixelwise() -> bool {
    for (std::size_t i = 0; i < operands().size(); ++i) {
      if (is_in_memory(operands()[i]) && !window(i).is_pixelwise()) return false;
    }
    return true;
  }

  /// Overwrites all pixels of an operand outside of these rows and columns.
  static void keep(char* memory, baton::value_id id, std::int32_t first_row, std::int32_t last_row, std::int32_t first, std::int32_t last,
                   char poison) {
    const auto facts = image(id);
    char* at = memory + memory_map::begin_of(id);
    for (std::int32_t y = 0; y < facts.rows; ++y) {
      for (std::int32_t x = 0; x < facts.columns; ++x, at += facts.pixel_bytes) {
        if (y < first_row || y >= last_row || x < first || x >= last) std::fill_n(at, facts.pixel_bytes, poison);
      }
    }
  }

  struct some_rows {
    std::int32_t first;
    std::int32_t last;
  };
  /// True if `run` computes these rows, or these pixels of one row, and writes nothing else.
  template <class F>
  auto computes(some_rows written, std::int32_t first, std::int32_t last, bool from_pixels, F run) -> bool {
    for (const char poison : {'\x5a', '\xa5'}) {
      const auto part = at_.run(input_, [&](const call& c) {
        for (std::size_t i = 0; i < operands().size(); ++i) {
          const auto id = operands()[i];
          if (!is_in_memory(id)) continue;
          const auto rows = window(i).rows;
          keep(c.arena, id, rows.first(written.first), rows.end(written.last - 1, image(id).rows), from_pixels ? first : 0,
               from_pixels ? last : image(id).columns, poison);
        }
        run(c);
      });
      auto expected = bytes(whole_.size(), before_rows());
      const auto begin = static_cast<std::ptrdiff_t>((written.first * out.columns + first)) * out.pixel_bytes;
      const auto end = static_cast<std::ptrdiff_t>(((written.last - 1) * out.columns + last)) * out.pixel_bytes;
      std::copy(whole_.begin() + begin, whole_.begin() + end, expected.begin() + begin);
      if (part != expected) return false;
    }
    return true;
  }
  static constexpr auto before_rows() -> char { return poison{}.in_outputs; }

  /// A call for a single row. Its scratch ends where the scratch of a whole call ends, so that a fence follows.
  struct call_for_single_row : call {
    static constexpr bool computes_single_rows = true;
    auto scratch() const {
      constexpr auto size = memory_map::facts.single_row_scratch_bytes;
      return std::span<char, size>{call::scratch().data() + (memory_map::facts.scratch_bytes - size), size};
    }
  };
  auto computes_single_row([[maybe_unused]] std::int32_t row) -> bool {
    if constexpr (memory_map::facts.single_row_scratch_bytes != baton::npos) {
      const auto by_row = [row](const call& c) { Kernel::compute_rows(call_for_single_row{c}, row, row + 1); };
      return computes({row, row + 1}, 0, out.columns, false, by_row);
    }
    return true;
  }

  auto computes_pixels([[maybe_unused]] std::int32_t row) -> bool {
    if constexpr (baton::pixel_kernel<Kernel, call>) {
      for (std::int32_t first = 0; first < out.columns; first += 2) {
        const auto last = std::min(first + 2, out.columns);
        const auto by_pixel = [row, first, last](const call& c) { Kernel::compute_pixels(c, row, first, last); };
        if (!computes({row, row + 1}, first, last, is_pixelwise(), by_pixel)) return false;
      }
    }
    return true;
  }

  auto sums_are_correct() -> bool {
    if constexpr (baton::summing_kernel<Kernel, call>) {
      constexpr auto size = memory_map::facts.sum_bytes;
      if constexpr (size != 0) {
        constexpr auto from = image(operands()[0]);
        for (const char poison : {'\x5a', '\xa5'}) {
          bytes sums(size + 1, poison);
          const auto summed = at_.run(input_, [&](const call& c) {
            const bytes all(c.arena + memory_map::begin_of(operands()[0]),
                            c.arena + memory_map::begin_of(operands()[0]) + memory_map::size_of(operands()[0]));
            Kernel::start_sums(c, sums.data());
            for (std::int32_t row = 0; row < from.rows; ++row) {
              std::copy(all.begin(), all.end(), c.arena + memory_map::begin_of(operands()[0]));
              keep(c.arena, operands()[0], row, row + 1, 0, from.columns, poison);
              Kernel::add_row(c, sums.data(), row);
            }
            Kernel::finish_sums(c, sums.data());
          });
          if (summed != whole_ || sums.back() != poison) return false;
        }
      }
    }
    return true;
  }

  const bytes& input_;
  trial<Kernel, Program> at_;
  bytes whole_;
};

/// The facts for planning are those for computing, except the size of the prepared constant.
template <class Kernel, class Program>
constexpr auto facts_are_consistent() -> bool {
  const auto planning = baton::ask_kernel<Kernel>(Program::value(), Program::value().nodes[0]).facts;
  auto computing = Kernel::describe(Program::value(), Program::value().nodes[0]).facts;
  computing.prepared = planning.prepared;
  return planning == computing;
}

/// Its facts have the functions that they need: windows need `compute_rows`, chunks `compute_chunks`, sums the three functions, a prepared
/// constant `prepare`.
template <class Kernel, class Program>
constexpr auto has_required_functions() -> bool {
  using call = typename trial<Kernel, Program>::call;
  const auto facts = Kernel::describe(Program::value(), Program::value().nodes[0]).facts;
  constexpr bool has_chunks = requires(const call& c) { Kernel::compute_chunks(c, 0, 1); };
  return (baton::row_kernel<Kernel, call> || !trial_by_rows<Kernel, Program>::has_windows()) && (has_chunks || facts.chunks == 1) &&
         (baton::summing_kernel<Kernel, call> || facts.sum_bytes == 0) && (baton::preparing_kernel<Kernel> || facts.prepared.size() == 0);
}

template <class Kernel, class Program>
auto respects_windows(const bytes& input) -> bool {
  return trial_by_rows<Kernel, Program>(input).respects_windows();
}

/// The outputs are the same at the declared distance of output `Output` from operand `Operand`, written in one order, as without overlap.
/// They may differ if the operand is `NearerBy` bytes nearer. Always true for an operand that must not overlap, or is not in memory.
template <class Kernel, class Program, std::size_t Operand, baton::write_order Order, std::int64_t NearerBy = 0, std::size_t Output = 0>
auto respects_distance(const bytes& input) -> bool {
  using memory_map = fenced_memory<Program, Kernel>;
  constexpr auto declared = memory_map::facts.operand(Operand).distance;
  constexpr auto distance = Order == baton::write_order::ascending ? declared.ascending : declared.descending;
  constexpr auto id = memory_map::view().inputs(memory_map::view().nodes[0])[Operand];
  if constexpr (distance != baton::min_distance::disjoint && memory_map::is_in_memory(id)) {
    if (trial<Kernel, Program, nearness{Operand, NearerBy, Order == baton::write_order::descending, Output}>{}.run(input) !=
        trial<Kernel, Program>{}.run(input)) {
      return false;
    }
    if constexpr (Output == 0) {
      if (Order == baton::write_order::ascending && !trial_by_rows<Kernel, Program>::has_windows() &&
          !chunks_equal_whole<Kernel, Program, nearness{Operand, NearerBy}>(input))
        return false;
      return trial_by_rows<Kernel, Program>(input).template respects_distance<Operand, NearerBy, Order>();
    }
  }
  return true;
}
template <class Kernel, class Program, std::size_t Output>
auto respects_distances_of_output(const bytes& input) -> bool {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((respects_distance<Kernel, Program, I, baton::write_order::ascending, 0, Output>(input) &&
             respects_distance<Kernel, Program, I, baton::write_order::descending, 0, Output>(input)) &&
            ...);
  }(std::make_index_sequence<Program::value().nodes[0].inputs.size>{});
}
template <class Kernel, class Program>
auto respects_distances(const bytes& input) -> bool {
  return [&]<std::size_t... O>(std::index_sequence<O...>) {
    return (respects_distances_of_output<Kernel, Program, O>(input) && ...);
  }(std::make_index_sequence<Program::value().nodes[0].outputs.size>{});
}

// A function, because Clang 16 does not destroy the temporary description in a condition of `if constexpr`.
template <class Kernel, class Program>
constexpr auto supports_node() -> bool {
  return baton::ask_kernel<Kernel>(Program::value(), Program::value().nodes[0]).support.accepted;
}

/// A form that supports the node computes the same outputs.
template <class Kernel, class Program, class Form>
auto form_equals_kernel(const bytes& input) -> bool {
  if constexpr (supports_node<Form, Program>()) {
    return trial<Form, Program>{}.run(input) == trial<Kernel, Program>{}.run(input);
  }
  return true;
}
template <class Kernel, class Program>
auto forms_equal_kernel(const bytes& input) -> bool {
  if constexpr (requires { typename Kernel::forms; }) {
    return [&]<class... Forms>(baton::kernel_list<Forms...>) {
      return (form_equals_kernel<Kernel, Program, Forms>(input) && ...);
    }(typename Kernel::forms{});
  }
  return true;
}

/// It computes the expected outputs. `expected(input)` returns their bytes; `equal(actual, expected)` compares them.
template <class Kernel, class Program, class Expected, class Equal>
auto is_correct(const bytes& input, Expected expected, Equal equal) -> bool {
  return equal(trial<Kernel, Program>{}.run(input), expected(input));
}

template <class Kernel, class Program>
auto all(const bytes& input) -> bool {
  return facts_are_consistent<Kernel, Program>() && has_required_functions<Kernel, Program>() && prepare_is_consistent<Kernel, Program>() &&
         writes_all_outputs<Kernel, Program>(input) && writes_only_outputs<Kernel, Program>(input) &&
         reads_only_operands<Kernel, Program>(input) && ignores_scratch_contents<Kernel, Program>(input) &&
         rows_equal_whole<Kernel, Program>(input) && chunks_equal_whole<Kernel, Program>(input) &&
         respects_windows<Kernel, Program>(input) && respects_distances<Kernel, Program>(input) &&
         forms_equal_kernel<Kernel, Program>(input);
}

}  // namespace laws::kernel
