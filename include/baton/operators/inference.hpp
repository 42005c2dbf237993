// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a rule of inference sees of a node, and what it says of the node's outputs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/rules.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace baton {

/// A shape as far as it is known: a size that is not is -1. Of a shape of more than eight sizes nothing is known.
struct inferred_shape {
  std::array<std::int64_t, tensor_type::max_rank> sizes{};
  std::size_t rank = 0;
  bool has_rank = true;

  constexpr inferred_shape() = default;
  constexpr inferred_shape(std::initializer_list<std::int64_t> list) {  // NOLINT(google-explicit-constructor)
    for (const auto size : list) add(size);
  }
  constexpr explicit inferred_shape(span<const std::int64_t> list) {
    for (const auto size : list) add(size);
  }

  constexpr void add(std::int64_t size) {
    if (rank == sizes.size()) has_rank = false;
    if (has_rank) sizes[rank++] = size < 0 ? -1 : size;
  }
  constexpr auto view() const -> span<const std::int64_t> { return {sizes.data(), rank}; }
};

/// The type of an output as far as it is known.
struct inferred_type {
  bool has_type = false;
  bool has_shape = false;  ///< whether the number of its dimensions is known
  dtype type = dtype::float32;
  inferred_shape shape{};
};

/// The integers of a constant operand as sizes: numbers that no shape has are cut, so that sums of some stay numbers.
struct known_sizes : known_integers {
  static constexpr std::int64_t most = 0x7fffffff;

  constexpr auto operator[](std::size_t at) const -> std::int64_t {
    const auto number = known_integers::operator[](at);
    return number > most ? most : number < -most ? -most : number;
  }
};

/// A node whose outputs are inferred: a rule asks it for operands and attributes, and gives it what follows. What a rule does not give
/// stays unknown. An operand that is left out has no type and no shape: of one that need not be there a rule asks first whether it is.
class inference {
 public:
  /// A text or a number of a reason.
  struct reason_part {
    std::string_view text{};
    std::int64_t number = 0;
    bool is_number = false;

    // NOLINTBEGIN(google-explicit-constructor): a list of parts is written down as they are
    constexpr reason_part(const char* characters) : text(characters) {}
    constexpr reason_part(std::string_view characters) : text(characters) {}
    template <std::integral T>
    constexpr reason_part(T value) : number(static_cast<std::int64_t>(value)),
                                     is_number(true) {}
    // NOLINTEND(google-explicit-constructor)
  };

  /// The outputs' types are written to `outputs`, one an output of the node, and a misfit to `why`.
  constexpr inference(const program_view& program, const node& record, vector<inferred_type>& outputs, failure& why)
      : program_(program),
        record_(record),
        inputs_(program.operands.data() + record.inputs.first),
        values_(program.values.data()),
        integers_(program.integers.data()),
        attributes_(program.attributes.data() + record.attributes.first),
        outputs_(outputs),
        why_(why) {}

  // Operands

  constexpr auto operand_count() const -> std::size_t { return record_.inputs.size; }
  constexpr auto has(std::size_t operand) const -> bool { return operand < record_.inputs.size && inputs_[operand] != none<value_id>; }
  constexpr auto type(std::size_t operand) const -> dtype { return of(operand).type; }
  constexpr auto rank(std::size_t operand) const -> std::size_t { return of(operand).shape.size; }
  constexpr auto shape(std::size_t operand) const -> span<const std::int64_t> { return program_.integer_list(of(operand).shape); }
  /// The size of a dimension that is there; -1 if it is not known, or no size of a tensor.
  constexpr auto size(std::size_t operand, std::size_t dimension) const -> std::int64_t {
    const auto found = integers_[of(operand).shape.first + dimension];
    return found > known_sizes::most ? -1 : found;
  }
  /// The integers of an operand that is constant.
  constexpr auto integers(std::size_t operand) const -> known_sizes {
    return {has(operand) ? known_integers::in(program_, inputs_[operand]) : known_integers{}};
  }
  /// A dimension that may be counted from the end, of so many; `rank` if it is none.
  static constexpr auto dimension(std::int64_t axis, std::size_t rank) -> std::size_t {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < 0) axis += count;
    return axis < 0 || axis >= count ? rank : static_cast<std::size_t>(axis);
  }

  // Attributes

  /// An integer or a truth value, cut like those of operands.
  constexpr auto integer(literal_name key, std::int64_t absent = 0) const -> std::int64_t {
    const auto* const found = find(key);
    const auto number = found == nullptr ? absent : found->integer;
    return number > known_sizes::most ? known_sizes::most : number < -known_sizes::most ? -known_sizes::most : number;
  }
  constexpr auto has(literal_name key) const -> bool { return find(key) != nullptr; }
  constexpr auto text(literal_name key) const -> std::string_view {
    const auto* const found = find(key);
    return found == nullptr ? std::string_view{} : program_.text(found->bytes);
  }
  /// The numbers of a list; none also where it is absent.
  constexpr auto list(literal_name key) const -> span<const std::int64_t> {
    const auto* const found = find(key);
    if (found == nullptr || found->kind != attribute_kind::integers) return {};
    return program_.integer_list(found->list);
  }

  // Subgraphs

  constexpr auto subgraph_count() const -> std::size_t { return record_.subgraphs.size; }
  /// How many values a subgraph gives who calls it; what it writes to states is none.
  constexpr auto result_count(std::size_t subgraph) const -> std::size_t {
    std::size_t count = 0;
    for (const auto& spec : results(subgraph)) count += spec.kind == output_kind::user_output ? 1 : 0;
    return count;
  }
  /// The type of a value that a subgraph gives.
  constexpr auto result(std::size_t subgraph, std::size_t position) const -> inferred_type {
    for (const auto& spec : results(subgraph)) {
      if (spec.kind == output_kind::user_output && position-- == 0) return type_of(spec.value);
    }
    return {};
  }
  /// The type of an operand.
  constexpr auto operand(std::size_t position) const -> inferred_type {
    return has(position) ? type_of(inputs_[position]) : inferred_type{};
  }

  // Outputs

  constexpr auto output_count() const -> std::size_t { return outputs_.size(); }
  constexpr void give_type(std::size_t output, dtype type) {
    if (output >= outputs_.size()) return;
    outputs_[output].type = type;
    outputs_[output].has_type = true;
  }
  constexpr void give_shape(std::size_t output, const inferred_shape& shape) {
    if (output >= outputs_.size()) return;
    outputs_[output].shape = shape;
    outputs_[output].has_shape = shape.has_rank;
  }
  constexpr void give(std::size_t output, dtype type, const inferred_shape& shape) {
    give_type(output, type);
    give_shape(output, shape);
  }
  constexpr void give(std::size_t output, const inferred_type& type) {
    if (output < outputs_.size()) outputs_[output] = type;
  }

  /// Says that operands do not fit: `malformed_operator`, for a reason made of text and numbers. Only the first such reason counts.
  constexpr void misfit(std::initializer_list<reason_part> reason) {
    if (why_) return;
    why_ = broken<"malformed_operator">();
    for (const auto& part : reason) {
      if (part.is_number) append(why_.reason, part.number);
      if (!part.is_number) append(why_.reason, part.text);
    }
  }
  /// Whether an operand has so many dimensions; a misfit if not.
  constexpr auto needs_rank(std::size_t operand, std::size_t wanted) -> bool {
    if (rank(operand) == wanted) return true;
    misfit({"operand ", operand, " has ", rank(operand), " dimensions and needs ", wanted});
    return false;
  }
  /// Which of so many dimensions an axis names; all of them, and a misfit, if it names none.
  constexpr auto needs_dimension(std::int64_t axis, std::size_t dimensions) -> std::size_t {
    const auto found = dimension(axis, dimensions);
    if (found == dimensions) misfit({"there is no dimension ", axis});
    return found;
  }

 private:
  constexpr auto of(std::size_t operand) const -> const value& { return values_[static_cast<std::uint32_t>(inputs_[operand])]; }
  constexpr auto results(std::size_t subgraph) const -> span<const output_spec> {
    return program_.outputs_of(program_[program_.subgraphs_of(record_)[subgraph]]);
  }
  constexpr auto type_of(value_id id) const -> inferred_type {
    inferred_type made{true, true, program_[id].type, {}};
    for (const auto size : program_.shape(id)) made.shape.add(size > known_sizes::most ? -1 : size);
    made.has_shape = made.shape.has_rank;
    return made;
  }
  constexpr auto find(literal_name key) const -> const attribute* {
    const auto* const end = attributes_ + record_.attributes.size;
    for (const auto* at = attributes_; at != end; ++at) {
      if (at->key == key.hash) return at;
    }
    return nullptr;
  }

  const program_view& program_;
  const node& record_;
  // Not spans: a constant takes several times the steps to ask those, and rules ask often.
  const value_id* inputs_;
  const value* values_;
  const std::int64_t* integers_;
  const attribute* attributes_;
  vector<inferred_type>& outputs_;
  failure& why_;
};

}  // namespace baton
