// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The addresses of the buffers of the caller that an executor reads or writes, and the checks of these buffers.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/tensor.hpp>
#include <baton/run/bound_buffers.hpp>
#include <baton/run/detail/address_range.hpp>
#include <baton/run/detail/executor_memory.hpp>
#include <baton/run/detail/signature.hpp>
#include <baton/run/detail/tensor_argument.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The reason to reject a buffer at compile time.
enum class buffer_problem : std::uint8_t { none, no_buffer, temporary, constant_output, other_elements, other_count };

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;

/// A check of a buffer against its tensor. `Buffer` is the deduced type of a forwarding reference. The buffer must have `Bytes` bytes,
/// rounded up to whole elements. If the size is not part of the buffer's type, `bound_addresses::bind` checks the size at run time.
template <class Buffer, dtype Type, std::size_t Bytes, bool IsOutput>
struct buffer_check {
  using type = std::remove_cvref_t<Buffer>;
  using argument = tensor_argument<std::remove_reference_t<Buffer>>;
  static constexpr bool has_fixed_size = argument::is_known;

  static consteval auto element_identity() {
    if constexpr (has_fixed_size) {
      return std::type_identity<typename argument::element>{};
    } else if constexpr (sized_at_run_time<type>) {
      return std::type_identity<std::remove_pointer_t<decltype(std::declval<std::remove_reference_t<Buffer>&>().data())>>{};
    } else {
      return std::type_identity<void>{};
    }
  }
  using element = typename decltype(element_identity())::type;
  using tensor_element = typename decltype(element_type_of<Type>())::type;
  template <class Element>
  static constexpr std::size_t count_of = (Bytes + sizeof(Element) - 1) / sizeof(Element);

  static consteval auto problem() -> buffer_problem {
    using enum buffer_problem;
    if constexpr (std::is_void_v<element> || std::is_pointer_v<type>) {
      return no_buffer;
    } else {
      using plain = std::remove_const_t<element>;
      if (!std::is_lvalue_reference_v<Buffer> && !is_span<type>) return temporary;
      if (IsOutput && std::is_const_v<element>) return constant_output;
      if (!is_raw_byte<plain> && !is_element_type<plain, tensor_element>) return other_elements;
      if constexpr (has_fixed_size) return argument::count == count_of<plain> ? none : other_count;
      return none;
    }
  }

  static consteval auto given_fact() {
    if constexpr (has_fixed_size) {
      return std::type_identity<given<std::remove_const_t<element>, argument::count>>{};
    } else if constexpr (std::is_void_v<element>) {
      return std::type_identity<given<type>>{};
    } else {
      return std::type_identity<given<std::remove_const_t<element>>>{};
    }
  }
  using facts = error_facts<typename decltype(given_fact())::type, wanted<tensor_element, count_of<tensor_element>>>;
};

/// Fails at compile time with the message of `Problem`, followed by `Facts`. Returns true if there is no problem.
template <buffer_problem Problem, class Facts>
consteval auto report_buffer() -> bool {
  using enum buffer_problem;
  static_assert(Problem != no_buffer || always_false<Facts>,
                "baton executor: a bound buffer is neither an array nor a span; pass one of them");
  static_assert(Problem != temporary || always_false<Facts>,
                "baton executor: a bound buffer is a temporary object; bind a variable that lives as long as the inferences");
  static_assert(Problem != constant_output || always_false<Facts>,
                "baton executor: a buffer that is bound to an output is const; bind a buffer that the executor may write");
  static_assert(Problem != other_elements || always_false<Facts>,
                "baton executor: the elements of a bound buffer have another type than the tensor; use the tensor's type, or std::byte "
                "for raw bytes");
  static_assert(Problem != other_count || always_false<Facts>,
                "baton executor: the number of elements of a bound buffer differs from the required number; its size in bytes must be "
                "bound_input_bytes<I> or bound_output_bytes<I>, rounded up to whole elements");
  return Problem == none;
}

/// Fails at compile time if the services bind a tensor that does not exist, or bind a tensor twice.
template <class Services, class Signature>
consteval void check_bound_positions() {
  const auto are_below = [](const auto& positions, std::size_t count) {
    return std::all_of(positions.begin(), positions.end(), [count](std::uint32_t position) { return position < count; });
  };
  const auto are_unique = [](const auto& positions) {
    for (const auto position : positions) {
      if (std::count(positions.begin(), positions.end(), position) != 1) return false;
    }
    return true;
  };
  constexpr const auto& inputs = bound_positions<typename Services::bound_inputs_or_void>;
  constexpr const auto& outputs = bound_positions<typename Services::bound_outputs_or_void>;
  static_assert(
      are_below(inputs, Signature::input_count()) && are_below(outputs, Signature::output_count()),
      "baton bound_inputs, bound_outputs: a bound index is not the index of an input or output of the program; indices begin at 0");
  static_assert(are_unique(inputs) && are_unique(outputs), "baton bound_inputs, bound_outputs: an index is bound twice; remove one");
}

/// The addresses of the buffers of bound inputs (see `bound_inputs`), followed by those of bound outputs. The class is empty if no tensor
/// is bound.
template <class Execution, class Services>
class bound_addresses {
  using inputs = typename Services::bound_inputs_or_void;
  using outputs = typename Services::bound_outputs_or_void;
  using signature = program_signature<typename Execution::program_type>;

 public:
  static constexpr std::size_t count = bound_positions<inputs>.size() + bound_positions<outputs>.size();

  /// Returns the index of an input or output among the addresses; `count` if the tensor is not bound.
  static constexpr auto index_of(std::size_t position, bool is_output) -> std::size_t {
    const auto find = [position](const auto& positions) {
      return static_cast<std::size_t>(std::find(positions.begin(), positions.end(), position) - positions.begin());
    };
    if (is_output) return bound_positions<inputs>.size() + find(bound_positions<outputs>);
    const auto at = find(bound_positions<inputs>);
    return at == bound_positions<inputs>.size() ? count : at;
  }
  static constexpr auto is_bound(std::size_t position, bool is_output) -> bool { return index_of(position, is_output) < count; }
  static constexpr auto bytes_of(std::size_t position, bool is_output) -> std::size_t {
    const auto bytes = signature::bytes_of(is_output ? signature::user_output(position) : signature::user_input(position));
    if constexpr (count == 0) return bytes;
    return bytes + (is_bound(position, is_output) ? Execution::tables.bound_overreads[index_of(position, is_output)] : 0);
  }

  /// Returns the size of a bound buffer for input or output `I`. Fails at compile time if the program has no such tensor.
  template <std::size_t I, bool IsOutput>
  static consteval auto bytes_of_tensor() -> std::size_t {
    constexpr bool exists = I < (IsOutput ? signature::output_count() : signature::input_count());
    static_assert(
        exists || signature::view().graphs.empty(),  // the compiler has already reported why there is no graph
        "baton executor: bound_input_bytes or bound_output_bytes names a tensor that the program does not have; indices begin at 0");
    if constexpr (exists) return bytes_of(I, IsOutput);
    return 0;
  }

  /// Binds a buffer. `Buffer` is the deduced type of a forwarding reference. Returns `invalid_argument` if the address or the size is
  /// wrong; in this case, the previous buffer stays bound. Fails at compile time if no service binds the tensor, or if the type of the
  /// buffer is wrong.
  template <std::size_t I, bool IsOutput, class Buffer>
  auto bind([[maybe_unused]] std::remove_reference_t<Buffer>& buffer) -> status {
    constexpr bool is_bound_by_service = is_bound(I, IsOutput);
    static_assert(is_bound_by_service,
                  "baton executor: bind_input or bind_output names a tensor that no service binds; pass baton::bound_inputs<I> or "
                  "baton::bound_outputs<I> to the executor");
    if constexpr (is_bound_by_service) {
      constexpr auto type = signature::view()[IsOutput ? signature::user_output(I) : signature::user_input(I)].type;
      using check = buffer_check<Buffer, type, bytes_of(I, IsOutput), IsOutput>;
      if constexpr (report_buffer<check::problem(), typename check::facts>()) {
        using element = std::remove_const_t<typename check::element>;
        if constexpr (!check::has_fixed_size) {
          if (buffer.size() != check::template count_of<element>) return status::invalid_argument;
        }
        const void* const begin = begin_of_elements(buffer);
        const auto address = reinterpret_cast<std::uintptr_t>(begin);
        if (address == 0 || address % Execution::outcome.alignment != 0) return status::invalid_argument;
        addresses_[index_of(I, IsOutput)] = begin;
      }
    }
    return status::ok;
  }
  /// Fails at compile time if input or output `I` is bound. The executor cannot copy or return a bound tensor, because the arena does not
  /// contain it.
  template <std::size_t I, bool IsOutput>
  static consteval auto require_in_arena() -> bool {
    constexpr bool is_in_arena = !is_bound(I, IsOutput);
    static_assert(
        is_in_arena,
        "baton executor: an input or output is bound to a buffer of the caller, so the arena does not contain it; use the buffer, "
        "and call run without tensors");
    return is_in_arena;
  }
  /// Copies the addresses to `arena`, which is the arena of `executor`. Returns false if a bound tensor has no buffer, or if a buffer
  /// overlaps memory that it must not overlap (`is_overlapped`).
  template <class Executor>
  auto write_to([[maybe_unused]] char* arena, [[maybe_unused]] const Executor& executor) const -> bool {
    if constexpr (count != 0) {
      if (std::find(addresses_.begin(), addresses_.end(), nullptr) != addresses_.end()) return false;
      if (is_overlapped(executor_memory<Execution, Services>::ranges_of(executor))) return false;
      std::memcpy(Execution::memory_map::template memory<Execution::tables.addresses>(arena), addresses_.data(), sizeof addresses_);
    }
    return true;
  }

 private:
  /// The sizes of the buffers in bytes, in the order of the addresses.
  static consteval auto sizes() -> std::array<std::uintptr_t, count> {
    std::array<std::uintptr_t, count> result{};
    for (const auto position : bound_positions<inputs>) result[index_of(position, false)] = bytes_of(position, false);
    for (const auto position : bound_positions<outputs>) result[index_of(position, true)] = bytes_of(position, true);
    return result;
  }
  /// True if a buffer overlaps `memory`, which is the memory of the executor. Also true if the buffer of a bound output overlaps another
  /// bound buffer. The plan and the kernels assume disjoint memory. `bind` does not check this, because two buffers that the caller
  /// exchanges overlap between the two calls of `bind`. Therefore, the executor calls this function before each inference.
  template <std::size_t N>
  auto is_overlapped(const std::array<address_range, N>& memory) const -> bool {
    constexpr auto bytes = sizes();
    for (std::size_t i = 0; i < count; ++i) {
      const auto buffer = range_at(addresses_[i], bytes[i]);
      for (const auto& each : memory) {
        if (buffer.overlaps(each)) return true;
      }
      for (std::size_t other = 0; other < i && i >= bound_positions<inputs>.size(); ++other) {
        if (buffer.overlaps(range_at(addresses_[other], bytes[other]))) return true;
      }
    }
    return false;
  }

  struct nothing {};
  [[no_unique_address]] std::conditional_t<count == 0, nothing, std::array<const void*, count>> addresses_{};
};

}  // namespace baton::detail
