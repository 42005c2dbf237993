// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The form in which an operator is known: a name and plain facts, which the library's operators and a user's own are written down in.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// What a node does with its subgraphs. Subgraphs take all that they use as inputs, or own it as constant data; nothing is captured.
enum class control_flow : std::uint8_t {
  none,
  /// Operands: a scalar predicate, then the branches' inputs. Subgraphs: the branch if true, the branch if false.
  cond,
  /// Operands: carried values, then values that do not change. Subgraphs: condition (one scalar output), body (the next carried values).
  /// As many values are carried as the node has outputs.
  while_loop,
  /// Operands: as many stacks as the attribute `mapped` says, then values that do not change. Subgraph: the body, which takes one slice
  /// of each stack along dimension 0; its outputs are stacked again.
  map,
  /// Operands: as many initial values as the attribute `carried` says, stacks as `scanned` says, then values that do not change.
  /// Subgraph: the body takes carried values, slices and the rest, and gives the next carried values, then outputs that are stacked.
  scan,
};

/// An operand: what its operator calls it.
struct operand_definition {
  /// Whether it must be there: always, perhaps, or once and then as often as there are operands left (a list's last one).
  enum class presence : std::uint8_t { needed, optional, repeated };

  std::string_view name;
  presence use = presence::needed;
};

class inference;

/// What is known of an operator. What is left out is false or not known, so that a definition says as much as its writer knows:
/// `constexpr baton::operator_definition my_operators[] = {{.name = "my.blend", .is_commutative = true}};`. A program carries the list of
/// its user's definitions (`exported_program::operators`); everything that reads definitions reads that list before the library's.
struct operator_definition {
  /// The operands of an operator, a view of an array that stays. Not a span, whose constructors cost the compiler more than all else in a
  /// list of definitions.
  class operand_list {
   public:
    constexpr operand_list() {}  // NOLINT(modernize-use-equals-default): the definition around it is not complete yet
    template <std::size_t N>
    constexpr operand_list(const operand_definition (&list)[N])  // NOLINT(google-explicit-constructor): an array stands for its view
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
  /// The multiply-adds of one run of a node, 0 where a size that counts is not known. It is asked of nodes that have an
  /// output and the operands that are needed.
  using work_rule = auto (*)(const program_view& program, const node& record) -> std::uint64_t;

  /// The bytes that a node keeps from run to run and has no operand for where it comes from; 0 where they are not known. It is asked of
  /// nodes that have the operands that are needed.
  using state_rule = auto (*)(const program_view& program, const node& record) -> std::uint64_t;
  /// What follows from a node's operands and attributes for its outputs: asks `operators/inference.hpp`, and gives it the types. Operands
  /// that are neither optional nor repeated are there. `at.misfit({...})` says that operands do not fit one another; where an attribute
  /// makes no sense, or a size is not known, nothing follows.
  using inference_rule = void (*)(inference& at);

  literal_name name;
  operand_list operands{};
  bool is_commutative = false;  ///< the first two operands may be swapped; results are equal but for operands that are no numbers
  bool is_structural = false;   ///< gives the elements of its first operand, in their order, another shape or another name
  bool keeps_state = false;     ///< writes to operands, or to what stays from run to run
  control_flow flow = control_flow::none;  ///< of the library's operators alone, since executors must know it
  inference_rule infer = nullptr;          ///< null: nothing is known of its outputs
  work_rule multiply_adds = nullptr;       ///< null: it does none that count, or they are not known
  /// Of an operator whose last operand, an optional one, is such a state: an importer gives its nodes a mutable buffer of so many bytes
  /// (uint8) there, which begins with zeros.
  state_rule hidden_state = nullptr;
};

/// A list of definitions; a view.
using operator_list = span<const operator_definition>;

}  // namespace baton
