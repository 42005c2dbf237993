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

/// The control flow of a node with subgraphs. A subgraph captures no values of the enclosing graph: it uses only its inputs, its constant
/// data, and values that its nodes produce.
enum class control_flow : std::uint8_t {
  none,
  /// Operands: a scalar predicate, then the inputs of the branches. Subgraphs: the branch for true, the branch for false.
  cond,
  /// Operands: carried values (passed from one iteration to the next), then invariant values. Subgraphs: the condition, which returns one
  /// scalar, and the body, which returns the next carried values. The number of carried values is the number of the node's outputs.
  while_loop,
  /// Operands: stacks, then invariant values. The attribute `mapped` is the number of stacks. Subgraph: the body. Iteration i receives the
  /// slice [i, ...] of each stack, and all invariant values. The outputs of all iterations are stacked along dimension 0.
  map,
  /// Operands: initial values, then stacks, then invariant values. The attribute `carried` is the number of initial values; `scanned` is
  /// the number of stacks. Subgraph: the body. Iteration i receives the carried values, the slice [i, ...] of each stack, and all invariant
  /// values. The body returns the next carried values, then outputs that are stacked over all iterations.
  scan,
};

/// The name of an operand, and whether a node may omit it.
struct operand_definition {
  /// `needed`: never omitted. `optional`: may be omitted. `repeated`: one or more operands, up to the end of the node's operand list. Only
  /// the last operand of a definition may be `repeated`.
  enum class presence : std::uint8_t { needed, optional, repeated };

  std::string_view name;
  presence use = presence::needed;
};

class inference;

/// The facts about an operator. A definition may omit any fact; omitted facts are false or unknown. Example:
/// `constexpr baton::operator_definition my_operators[] = {{.name = "my.blend", .is_commutative = true}};`
/// A program carries a list of custom definitions (`exported_program::operators`) and the dialect of its file format
/// (`exported_program::dialect`). The custom definitions are searched first, then the dialect, then the definitions of the library. The
/// member `flow` of a custom definition is ignored.
struct operator_definition {
  /// A view of a static array of operands. This class replaces `span`, because the constructors of a span would take most of the compile
  /// time of a definition list.
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
  /// A function that returns the multiply-adds of one execution of a node, or 0 if a size on which the count depends is unknown. Called
  /// only for nodes that have an output and all required operands.
  using work_rule = auto (*)(const program_view& program, const node& record) -> std::uint64_t;

  /// A function that returns the size in bytes of a node's hidden state, or 0 if the size is unknown. A hidden state persists between runs,
  /// but is not an operand in the file format. Called only for nodes that have all required operands.
  using state_rule = auto (*)(const program_view& program, const node& record) -> std::uint64_t;
  /// A function that sets the output types that follow from a node's operands and attributes (`operators/inference.hpp`). Called only for
  /// nodes that have all required operands. A rule calls `node.fail({...})` if operands do not fit each other. A dtype, rank or size that
  /// depends on an invalid attribute or on an unknown size stays unknown.
  using inference_rule = void (*)(inference& node);

  literal_name name;
  operand_list operands{};
  bool is_commutative = false;  ///< the first two operands may be swapped; the result is equal unless an operand is NaN
  bool is_structural = false;   ///< returns the elements of its first operand, in order, with another shape or name
  bool keeps_state = false;     ///< writes to operands, or accesses memory that persists between runs
  bool is_functional = false;   ///< never writes to operands, not even to mutable buffers
  /// True if the meaning of the operator depends on the version of the operator set. An importer stores the version as the integer
  /// attribute `opset`. If a node has no such attribute, the newest meaning applies.
  bool is_versioned = false;
  control_flow flow = control_flow::none;  ///< ignored in custom definitions, because executors must implement it
  inference_rule infer = nullptr;          ///< null: the output types are unknown
  work_rule multiply_adds = nullptr;       ///< null: none, or unknown
  /// Set if the last operand of the operator is a hidden state. This operand is optional, and files do not store it. If the rule does not
  /// return 0, the importer appends a mutable buffer as this operand. The buffer is a uint8 tensor with as many elements as the rule
  /// returns, initially zero.
  state_rule hidden_state = nullptr;
};

/// A view of a list of definitions.
using operator_list = span<const operator_definition>;

}  // namespace baton
