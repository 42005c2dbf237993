// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Copies the constants of kernels to a buffer while earlier steps run, for the executor service `copied_weights`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/weight_copy_placer.hpp>
#include <baton/plan/weight_copies.hpp>
#include <baton/run/copied_weights.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The constants of at least `min_bytes` bytes that the kernels of the root graph read, in step order, and their offsets in the buffer.
/// `Service` is a `copied_weights`, which names the buffer and `min_bytes`.
template <class Execution, class Service>
class copied_constants {
  using program_type = typename Execution::program_type;
  using constant = weight_copy_plan::constant;

  static constexpr auto view() -> program_view { return Execution::view(); }
  /// The steps of the root graph; none if there is no plan.
  static constexpr range root = Execution::outcome.is_planned ? Execution::tables.steps[0] : range{};

  /// The facts about the constants of one node.
  struct node_facts {
    std::uint32_t prepared_bytes = 0;  ///< the size of the constant that the kernel prepares at compile time; 0 if there is none
    std::uint32_t overread_bytes = 0;  ///< the number of bytes that the kernel reads past the end of a constant operand
  };
  template <std::uint32_t N>
  static consteval auto facts_of() -> node_facts {
    node_facts result;
    if constexpr (Execution::outcome.is_planned && Execution::tables.kernel[N] < Execution::all_kernels::size) {
      using kernel = typename Execution::template kernel_type<N>;
      constexpr const kernel_facts& facts = described<kernel, program_type, N>.facts;
      if constexpr (preparing_kernel<kernel>)
        result.prepared_bytes = static_cast<std::uint32_t>(facts.prepared.size() * sizeof(prepared_element_of<kernel>));
      result.overread_bytes = facts.overread_bytes;
    }
    return result;
  }

  static constexpr auto bytes_of(value_id data) -> std::uint32_t {
    const auto& record = view()[data];
    const auto bytes =
        record.kind == value_kind::external_constant ? byte_count(record.type, view().shape(data)) : std::int64_t{record.data.size};
    return static_cast<std::uint32_t>(bytes);
  }
  /// Returns the number of operands of all nodes, which is an upper bound on the number of constant operands.
  static constexpr auto max_operands() -> std::size_t {
    std::size_t count = 0;
    for (const auto& record : view().nodes) count += record.inputs.size;
    return count;
  }

  struct constant_list {
    std::array<constant, max_operands() + view().nodes.size()> all{};
    std::size_t count = 0;
    std::size_t buffer_bytes = 0;
    std::size_t min_buffer_bytes = 0;  ///< the smallest size of a constant with its over-read bytes and padding; 0 if the list is empty

    constexpr void add(const node_facts& facts, std::uint32_t step, std::uint32_t node, value_id data, std::uint32_t bytes) {
      if (bytes < std::max<std::size_t>(1, Service::min_bytes)) return;
      const auto read = bytes + (data == none<value_id> ? 0 : facts.overread_bytes);
      const auto reserved = static_cast<std::uint32_t>(round_up(read, Service::alignment));
      all[count++] = {step, node, data, bytes, reserved, npos};
      min_buffer_bytes = min_buffer_bytes == 0 ? reserved : std::min<std::size_t>(min_buffer_bytes, reserved);
    }
    /// True if the constants at position `first` and above contain `data`.
    constexpr auto has(std::size_t first, value_id data) const -> bool {
      return std::any_of(all.begin() + first, all.begin() + count, [data](const constant& each) { return each.data == data; });
    }
  };

  static consteval auto make() -> constant_list {
    const auto facts = []<std::uint32_t... N>(std::integer_sequence<std::uint32_t, N...>) {
      return std::array<node_facts, sizeof...(N)>{facts_of<N>()...};
    }(std::make_integer_sequence<std::uint32_t, static_cast<std::uint32_t>(view().nodes.size())>{});
    constant_list result;
    for (auto s = root.first; s < root.first + root.size; ++s) {
      const auto& step = Execution::tables.step[s];
      if (step.kind != step_kind::kernel && step.kind != step_kind::rows) continue;
      for (std::uint32_t n = 0; n < step.nodes.size; ++n) {
        const auto node = index(Execution::tables.node[step.nodes.first + n]);
        add_node(result, facts[node], s - root.first, node);
      }
    }
    result.buffer_bytes = weight_copy_placer({result.all.data(), result.count}, Service::bytes).place();
    return result;
  }
  /// Adds the constants of a node: its constant operands, and the constant that its kernel prepares at compile time. If the prepared
  /// constant is at least as large as all constant operands together, the kernel probably does not read the operands. Then adds only the
  /// prepared constant; a kernel that does read the operands reads them in place.
  static consteval void add_node(constant_list& result, const node_facts& facts, std::uint32_t step, std::uint32_t node) {
    const auto first = result.count;
    result.add(facts, step, node, none<value_id>, facts.prepared_bytes);
    const auto operands = view().inputs(view().nodes[node]);
    std::uint64_t bytes = 0;
    for (const auto operand : operands) bytes += operand == none<value_id> || !is_constant(operand) ? 0 : bytes_of(data_of(operand));
    if (facts.prepared_bytes != 0 && facts.prepared_bytes >= bytes) return;
    for (const auto operand : operands) {
      if (operand == none<value_id> || !is_constant(operand) || result.has(first, data_of(operand))) continue;
      result.add(facts, step, node, data_of(operand), bytes_of(data_of(operand)));
    }
  }
  static constexpr auto is_constant(value_id operand) -> bool { return Execution::location_of(operand).is_constant(); }
  static constexpr auto data_of(value_id operand) -> value_id { return Execution::location_of(operand).data; }

 public:
  static constexpr constant_list list = make();

  /// Returns the offset of a node's constant in the buffer, or `npos` if the kernel reads the constant in place. `data` is the value that
  /// contains the constant, or `none<value_id>` for the constant that the kernel prepares at compile time.
  static constexpr auto offset_of(std::uint32_t node, value_id data) -> std::uint32_t {
    for (std::size_t i = 0; i < list.count; ++i) {
      if (list.all[i].node == node && list.all[i].data == data) return list.all[i].offset;
    }
    return npos;
  }
  /// Searches the steps from `step` on for the first one that has constants. Returns the range of its constants in the list. Returns an
  /// empty range if there is no such step.
  static constexpr auto group_from(std::uint32_t step) -> range {
    std::uint32_t first = 0;
    while (first < list.count && list.all[first].step < step) ++first;
    std::uint32_t size = 0;
    while (first + size < list.count && list.all[first + size].step == list.all[first].step) ++size;
    return {first, size};
  }
};

/// The memory map of node `N`. The address of a copied constant is in the buffer.
template <class Execution, class Service, std::uint32_t N>
struct map_with_copies : Execution::memory_map {
  using in_place = typename Execution::memory_map;
  using constants = copied_constants<Execution, Service>;

  template <value_id Id>
  static auto address(const char* base) -> const char* {
    if constexpr (Execution::location_of(Id).is_constant()) {
      constexpr auto offset = constants::offset_of(N, Execution::location_of(Id).data);
      if constexpr (offset != npos) return Service::begin() + offset;
    }
    return in_place::template address<Id>(base);
  }
  template <std::uint32_t Node>
  static auto prepared() {
    using type = decltype(in_place::template prepared<Node>());
    constexpr auto offset = constants::offset_of(N, none<value_id>);
    if constexpr (offset == npos) {
      return in_place::template prepared<Node>();
    } else {
      return type{static_cast<typename type::pointer>(static_cast<const void*>(Service::begin() + offset)), type::extent};
    }
  }
};

/// The copies of an execution without the service `copied_weights`: none.
template <class Execution>
struct weight_copier {
  static constexpr std::size_t buffer_bytes = 0;
  static constexpr bool has_copies = false;
  static constexpr auto plan() -> weight_copy_plan { return {}; }
  template <std::uint32_t N>
  using call_of = node_call<typename Execution::program_type, N, typename Execution::memory_map>;
  static void begin() {}
  static auto end_after_failure() -> bool { return false; }
};

/// The copies of an execution with the service `copied_weights`. The constants of a step are copied while the previous step with constants
/// runs.
template <class Execution>
  requires requires { typename Execution::setting::copies; }
struct weight_copier<Execution> {
  using service = typename Execution::setting::copies;
  using dma = typename service::dma;
  using constants = copied_constants<Execution, service>;

  static constexpr std::size_t buffer_bytes = constants::list.buffer_bytes;
  static constexpr bool has_copies = buffer_bytes != 0 && weight_dma<dma>;  // else nothing is copied, or an error is reported
  static constexpr auto plan() -> weight_copy_plan {
    weight_copy_plan result;
    for (std::size_t i = 0; i < constants::list.count; ++i) result.constants.push_back(constants::list.all[i]);
    result.buffer_bytes = buffer_bytes;
    return result;
  }
  template <std::uint32_t N>
  using call_of = node_call<typename Execution::program_type, N, map_with_copies<Execution, service, N>>;

  /// Begins an inference: waits for the transfer of an inference that was abandoned, and starts the first copies.
  static void begin() {
    if constexpr (has_copies) {
      dma::wait();
      start_group<constants::group_from(0)>();
    }
  }
  /// Waits for the copies of step `S`, then starts the copies of the next step with constants. Does nothing if step `S` has no constants,
  /// or is not in the root graph.
  template <std::uint32_t S>
  static void before_step() {
    constexpr auto root = Execution::tables.steps[0];
    if constexpr (has_copies && S - root.first < root.size) {
      constexpr auto group = constants::group_from(S - root.first);
      if constexpr (group.size != 0 && constants::list.all[group.first].step == S - root.first) {
        if constexpr (is_copied<group>()) {
          dma::wait();
          std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler does not know which memory the device writes
        }
        start_group<constants::group_from(S - root.first + 1)>();
      }
    }
  }
  /// Waits until no transfer is in progress. Returns false, so that a failed run can end with `return end_after_failure();`.
  static auto end_after_failure() -> bool {
    if constexpr (has_copies) dma::wait();
    return false;
  }

 private:
  template <range Group>
  static consteval auto is_copied() -> bool {
    const auto* const first = constants::list.all.data() + Group.first;
    return std::any_of(first, first + Group.size, [](const auto& each) { return each.is_copied(); });
  }
  template <range Group>
  static void start_group() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    []<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
      (start<Group.first + Group.size - 1 - I>(), ...);
    }(std::make_integer_sequence<std::uint32_t, Group.size>{});
  }
  template <std::uint32_t I>
  static void start() {
    constexpr auto constant = constants::list.all[I];
    if constexpr (constant.is_copied()) {
      const void* from = nullptr;
      if constexpr (constant.data == none<value_id>) {
        from = Execution::memory_map::template prepared<constant.node>().data();
      } else {
        from = Execution::memory_map::template constant<constant.data>();
      }
      dma::start(service::begin() + constant.offset, from, std::size_t{constant.bytes});
    }
  }
};

// Types that appear in diagnostics: the given and the required size and alignment, in bytes.
template <std::size_t Bytes, std::size_t Alignment>
struct given_buffer;

template <std::size_t Bytes, std::size_t Alignment>
struct wanted_buffer;

/// Fails at compile time if the DMA type of `copied_weights` lacks a function. Also fails if the buffer has no space for any constant of at
/// least `MinBytes` bytes, or if the buffer is less aligned than `std::max_align_t`.
template <class Execution>
consteval void check_copied_weights() {
  if constexpr (requires { typename Execution::setting::copies; }) {
    using service = typename Execution::setting::copies;
    static_assert(weight_dma<typename service::dma>,
                  "baton copied_weights: the DMA type lacks a function; write: static void start(void* to, const void* from, std::size_t "
                  "bytes) and static void wait()");
    constexpr auto min_bytes = copied_constants<Execution, service>::list.min_buffer_bytes;
    constexpr auto min_alignment = alignof(std::max_align_t);
    constexpr bool fits = service::alignment >= min_alignment && service::bytes >= min_bytes;
    using facts = error_facts<given_buffer<service::bytes, service::alignment>, wanted_buffer<min_bytes, min_alignment>>;
    static_assert(fits || always_false<facts>,
                  "baton copied_weights: the buffer has no space for any constant, or its alignment is too small; use a larger "
                  "baton::memory_region, or one with a larger alignment");
  }
}

}  // namespace baton::detail
