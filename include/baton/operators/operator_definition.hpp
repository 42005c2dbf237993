// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operator definitions: a name and facts, both for the operators of the library and for custom operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The control flow of a node with subgraphs. A subgraph receives all values that it uses as inputs, or owns them as constant data; it
/// captures nothing.
enum class control_flow : std::uint8_t {
  none,
  /// Operands: a scalar predicate, then the inputs of the branches. Subgraphs: the branch for true, the branch for false.
  cond,
  /// Operands: carried values, then invariant values. Subgraphs: the condition (one scalar output), the body (the next carried values). The
  /// node has as many carried values as outputs.
  while_loop,
  /// Operands: stacks, counted by the attribute `mapped`, then invariant values. Subgraph: the body, which receives one slice of each stack
  /// along dimension 0. Its outputs are stacked along dimension 0.
  map,
  /// Operands: initial values, counted by the attribute `carried`, then stacks, counted by `scanned`, then invariant values. Subgraph: the
  /// body. It receives carried values, slices and invariant values, and returns the next carried values, then outputs that are stacked.
  scan,
};

/// The name of an operand, and whether a node may omit it.
struct operand_definition {
  /// `needed`: never omitted. `optional`: may be omitted. `repeated`: present once or more, up to the end of the operand list; only for the
  /// last operand of a definition.
  enum class presence : std::uint8_t { needed, optional, repeated };

  std::string_view name;
  presence use = presence::needed;
};

class inference;

/// The facts about an operator. A definition may omit any fact; omitted facts are false or unknown. Example:
/// `constexpr baton::operator_definition my_operators[] = {{.name = "my.blend", .is_commutative = true}};`
/// A program carries a list of custom definitions (`exported_program::operators`), which is always searched before the library's.
struct operator_definition {
  /// A view of a static array of operands. It is not a span, because the constructors of spans would cost more compile time than the rest
  /// of a list of definitions.
  class operand_list {
   public:
    constexpr operand_list() {}  // NOLINT(modernize-use-equals-default): the enclosing class is still incomplete
    template <std::size_t N>
    constexpr operand_list(const operand_definition (&list)[N])  // NOLINT(google-explicit-constructor): an array converts to its view
        : first_(list),
          size_(N) {}

    constexpr auto size() const -> std::size_t { return size_; }
    constexpr auto begin() const -> const operand_definition* { return first_; }
    constexpr auto end() const -> const operand_definition* { return first_ + size_; }
    constexpr auto operator[](std::size_t at) const -> const operand_definition& { return first_[at]; }

   private:
    const operand_definition* first_ = nullptr;
    std::size_t size_ = 0;
  };
  /// Returns the multiply-adds of one execution of a node, or 0 if a size that matters is unknown. Called only for nodes that have an
  /// output and all required operands.
  using work_rule = auto (*)(const program_view& program, const node& record) -> std::uint64_t;

  /// Returns the size in bytes of the state that a node keeps between runs, if the file format has no operand for it. Returns 0 if the size
  /// is unknown. Called only for nodes that have all required operands.
  using state_rule = auto (*)(const program_view& program, const node& record) -> std::uint64_t;
  /// Sets the output types that follow from a node's operands and attributes (`operators/inference.hpp`). Operands that are neither
  /// optional nor repeated are present. A rule calls `at.misfit({...})` if operands do not fit each other. It sets nothing if an attribute
  /// is invalid or a size is unknown.
  using inference_rule = void (*)(inference& at);

  literal_name name;
  operand_list operands{};
  bool is_commutative = false;             ///< the first two operands may be swapped; results are equal except for NaN operands
  bool is_structural = false;              ///< returns the elements of its first operand, in order, with another shape or name
  bool keeps_state = false;                ///< writes to operands, or to memory that persists between runs
  control_flow flow = control_flow::none;  ///< only for operators of the library, because executors must implement it
  inference_rule infer = nullptr;          ///< null: the output types are unknown
  work_rule multiply_adds = nullptr;       ///< null: none, or unknown
  /// For an operator whose last, optional operand is a state that a file does not store. An importer adds a mutable buffer as this operand:
  /// uint8, of the returned number of bytes, initially zero.
  state_rule hidden_state = nullptr;
};

/// A view of a list of definitions.
using operator_list = span<const operator_definition>;

}  // namespace baton
