// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that computes shapes, and what is made of them, while the program is compiled.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/strided_axis.hpp>
#include <baton/transform/detail/integer_list.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// The elements of one node's output, if they can be known.
class integer_folder {
 public:
  constexpr integer_folder(rewriter& change, node_id id) : change_(change), id_(id), record_(change[id]) {}

 private:
  // Defined before it is used: Clang evaluates no template of a class that comes later.
  /// kernels/add.cc, sub.cc, mul.cc, maximum_minimum.cc: of the same shape, or with a number. Numbers beyond int32 are left, so that
  /// nothing overflows here.
  template <class F>
  constexpr auto each_pair(F f) -> integer_list {
    const auto left = input(0), right = input(1);
    const auto count = std::max(left.elements.size(), right.elements.size());
    const auto fits = [count](const integer_list& of) {
      return of.is_known && (of.elements.size() == count || of.elements.size() == 1) && fit(of.elements, dtype::int32);
    };
    if (!fits(left) || !fits(right) || count == 0 || !is_without_activation()) return {};
    integer_list made{true, {}};
    for (std::size_t i = 0; i < count; ++i) {
      made.elements.push_back(f(left.elements[left.elements.size() == 1 ? 0 : i], right.elements[right.elements.size() == 1 ? 0 : i]));
    }
    return made;
  }

 public:
  constexpr auto run() -> integer_list {
    if (record_.is("tfl.shape")) return shape();
    if (record_.is("tfl.rank")) return rank();
    if (record_.is("tfl.strided_slice")) return strided_slice();
    if (record_.is("tfl.pack")) return pack();
    if (record_.is("tfl.concatenation")) return concatenation();
    if (record_.is("tfl.gather")) return gather();
    if (record_.is("tfl.reduce_prod")) return product();
    if (record_.is("tfl.cast")) return input(0);
    if (record_.is("tfl.add")) return each_pair([](std::int64_t a, std::int64_t b) { return a + b; });
    if (record_.is("tfl.sub")) return each_pair([](std::int64_t a, std::int64_t b) { return a - b; });
    if (record_.is("tfl.mul")) return each_pair([](std::int64_t a, std::int64_t b) { return a * b; });
    if (record_.is("tfl.minimum")) return each_pair([](std::int64_t a, std::int64_t b) { return a < b ? a : b; });
    if (record_.is("tfl.maximum")) return each_pair([](std::int64_t a, std::int64_t b) { return a < b ? b : a; });
    return {};
  }

 private:
  constexpr auto input(std::uint32_t at) -> integer_list { return list_of(known_integers::in(change_.program(), change_.input(id_, at))); }
  constexpr auto option(literal_name key) const -> std::int64_t { return change_.program().integer(record_, key); }
  constexpr auto is_without_activation() const -> bool {
    return change_.program().text(record_, "fused_activation_function", "none") == "none";
  }
  /// The rank of the first operand.
  constexpr auto rank_of_input() -> std::int64_t {
    return static_cast<std::int64_t>(change_.program().shape(change_.input(id_, 0)).size());
  }

  /// kernels/shape.cc
  constexpr auto shape() -> integer_list {
    const auto in = change_.input(id_, 0);
    integer_list made;
    if (in == none<value_id>) return made;
    made.is_known = true;
    for (const auto size : change_.program().shape(in)) {
      made.is_known = made.is_known && size >= 0;
      made.elements.push_back(size);
    }
    return made;
  }
  /// kernels/rank.cc
  constexpr auto rank() -> integer_list {
    integer_list made;
    made.is_known = change_.input(id_, 0) != none<value_id>;
    if (made.is_known) made.elements.push_back(rank_of_input());
    return made;
  }

  /// kernels/strided_slice.cc; of lists only.
  constexpr auto strided_slice() -> integer_list {
    const auto in = input(0), begin = input(1), end = input(2), stride = input(3);
    const bool is_list = in.is_known && begin.elements.size() == 1 && end.elements.size() == 1 && stride.elements.size() == 1 &&
                         rank_of_input() == 1 && option("ellipsis_mask") == 0 && option("new_axis_mask") == 0 && option("offset") == 0;
    if (!is_list || stride.elements[0] == 0) return {};
    const auto size = static_cast<std::int64_t>(in.elements.size());
    const auto step = stride.elements[0];
    integer_list made{true, {}};
    if ((option("shrink_axis_mask") & 1) != 0) {  // one element
      const auto at = begin.elements[0] < 0 ? begin.elements[0] + size : begin.elements[0];
      if (at < 0 || at >= size || step != 1 || option("begin_mask") != 0) return {};
      made.elements.push_back(in.elements[static_cast<std::size_t>(at)]);
      return made;
    }
    const auto first = (option("begin_mask") & 1) != 0 ? strided_axis::from_start(step) : begin.elements[0];
    const auto last = (option("end_mask") & 1) != 0 ? strided_axis::to_end(step) : end.elements[0];
    const strided_axis axis{size, first, last, step};
    for (std::int64_t i = 0; i < axis.count(); ++i) made.elements.push_back(in.elements[static_cast<std::size_t>(axis.first() + i * step)]);
    return made;
  }

  /// All operands, one after the other.
  constexpr auto joined() -> integer_list {
    integer_list made{true, {}};
    for (std::uint32_t i = 0; i < record_.inputs.size; ++i) {
      const auto in = input(i);
      if (!in.is_known) return {};
      made.elements.insert(made.elements.end(), in.elements.begin(), in.elements.end());
    }
    return made;
  }
  /// kernels/pack.cc: along the first axis, or of scalars.
  constexpr auto pack() -> integer_list {
    if (record_.inputs.size == 0 || (option("axis") != 0 && (option("axis") != -1 || rank_of_input() != 0))) return {};
    return joined();
  }
  /// kernels/concatenation.cc: along the first axis.
  constexpr auto concatenation() -> integer_list {
    if (record_.inputs.size == 0 || (option("axis") != 0 && option("axis") != -rank_of_input()) || !is_without_activation()) return {};
    return joined();
  }

  /// kernels/gather.cc: of a list.
  constexpr auto gather() -> integer_list {
    const auto in = input(0), positions = input(1);
    if (!in.is_known || !positions.is_known || rank_of_input() != 1 || option("batch_dims") != 0) return {};
    integer_list made{true, {}};
    for (const auto position : positions.elements) {
      if (position < 0 || position >= static_cast<std::int64_t>(in.elements.size())) return {};
      made.elements.push_back(in.elements[static_cast<std::size_t>(position)]);
    }
    return made;
  }
  /// kernels/reduce.cc: of all elements of a list.
  constexpr auto product() -> integer_list {
    const auto in = input(0), axes = input(1);
    if (!in.is_known || rank_of_input() != 1 || axes.elements.size() != 1 || !fit(in.elements, dtype::int32)) return {};
    std::int64_t made = 1;
    for (const auto element : in.elements) {
      made *= element;
      if (!fit({&made, 1}, dtype::int32)) return {};
    }
    return {true, {made}};
  }

  rewriter& change_;
  node_id id_;
  node record_;
};

}  // namespace detail

/// A pass that computes what is known of shapes: the shape of a value whose sizes are known, and of that and of other whole numbers slices,
/// packs, concatenations, elements and sums, as converters write them in front of a reshape; and that takes reshapes of constants, of
/// weights too, whose bytes stay where they are. At most 64 elements are computed. What is an output of its graph stays, and what does not
/// fit its type. Semantics: the kernels of TensorFlow Lite, by file where they stand.
struct fold_constants {
  static constexpr std::string_view name = "fold_constants";

  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) {
      const auto out = change.output(id);
      if (out == none<value_id> || change.is_output(out)) continue;
      if (find_definition(change[id].op).is_structural) {
        fold_reshape(change, id);
      } else if (bytes_of_integer(change[out].type) != 0 && change[out].quant.channels == 0) {
        fold_integers(change, id);
      }
    }
    return change.finish();
  }

 private:
  static constexpr void fold_integers(rewriter& change, node_id id) {
    const auto made = detail::integer_folder(change, id).run();
    if (!made.is_known) return;
    const auto out = change.output(id);
    const auto type = change[out].type;
    const bool fits = made.elements.size() <= integer_list::most && fit(made.elements, type) &&
                      element_count(change.program().shape(out)) == static_cast<std::int64_t>(made.elements.size());
    if (fits) change.replace_by_constant(id, change.own(baton::view(bytes_of(made.elements, type))));
  }
  /// kernels/reshape.cc, squeeze.cc, expand_dims.cc: the same bytes. Channels would lie along another axis.
  static constexpr void fold_reshape(rewriter& change, node_id id) {
    const auto in = change.input(id, 0), out = change.output(id);
    if (in == none<value_id>) return;
    const auto program = change.program();
    const auto& given = program[in];
    const bool is_constant = is_owned_data(given.kind) && given.kind != value_kind::mutable_buffer && given.tag == none<tag_id>;
    const auto bytes = byte_count(given.type, program.shape(in));
    const bool is_same = given.type == program[out].type && bytes == byte_count(given.type, program.shape(out)) &&
                         given.quant.channels <= 1 && is_same_quantization(program, in, out);
    if (is_constant && is_same && bytes > 0 && given.data.size == bytes) change.replace_by_constant(id, given.data);
  }
};
static_assert(pass<fold_constants>);

}  // namespace baton
