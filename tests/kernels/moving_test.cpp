// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Data movement operators: thousands of one-node programs against a plain implementation, and rejected nodes.
#include <baton/kernels/portable/moving.hpp>
#include <baton/core/builder.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/portable/blocks.hpp>
#include <baton/kernels/portable/gathering.hpp>
#include <baton/kernels/portable/joining.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/resizing.hpp>
#include <baton/kernels/portable/shape.hpp>

#include "laws/kernel.hpp"
#include "nodes/interpreter.hpp"
#include "reference/moving.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using baton::dtype;
using reference::moving::bytes;
using reference::moving::list;
using reference::moving::tensor;
namespace plain = reference::moving;

constexpr auto kernels =
    baton::kernels<baton::portable::reshape, baton::portable::detail::move_elements, baton::portable::detail::join_parts,
                   baton::portable::detail::split_parts, baton::portable::detail::gather, baton::portable::detail::dynamic_update_slice,
                   baton::portable::detail::slice_at, baton::portable::detail::batch_space, baton::portable::detail::mirror_pad,
                   baton::portable::detail::shape_of, baton::portable::detail::broadcast_args>;

auto type_of(dtype type, const list& shape) -> baton::tensor_type {
  baton::tensor_type result{type, shape.size(), {}};
  std::copy(shape.begin(), shape.end(), result.sizes.begin());
  return result;
}
auto type_of(std::size_t width) -> dtype {
  return width == 1 ? dtype::int8 : width == 2 ? dtype::int16 : width == 4 ? dtype::float32 : dtype::int64;
}
auto encoded(const list& numbers, std::size_t width) -> bytes {
  bytes result;
  for (const auto number : numbers) {
    for (std::size_t i = 0; i < width; ++i) result.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i)));
  }
  return result;
}

/// Builds a one-node program operand by operand, and runs it.
class one_node {
 public:
  auto input(const tensor& from, dtype type) -> one_node& {
    operands_.push_back(build_.user_input("x" + std::to_string(operands_.size()), type_of(type, from.shape)));
    input_.insert(input_.end(), from.data.begin(), from.data.end());
    return *this;
  }
  auto input(const tensor& from) -> one_node& { return input(from, type_of(from.width)); }
  auto numbers(const list& of, list shape, dtype type = dtype::int32) -> one_node& {
    const auto data = encoded(of, type == dtype::int64 ? 8 : 4);
    operands_.push_back(build_.constant("c" + std::to_string(operands_.size()), type_of(type, shape), {data.data(), data.size()}));
    return *this;
  }
  auto numbers(const list& of) -> one_node& { return numbers(of, {static_cast<std::int64_t>(of.size())}); }
  auto quantize(float scale, std::int64_t zero_point) -> one_node& {
    scale_ = scale;
    zero_point_ = zero_point;
    return *this;
  }
  /// Adds the node and runs the program; the outputs are stored in `output_`, one after another. Returns the reason if the node is not
  /// supported.
  auto run(std::string_view op, const std::vector<tensor>& outputs, std::initializer_list<baton::named_literal> literals = {},
           dtype type = dtype::variant) -> std::string {
    std::vector<baton::value_id> ids;
    for (const auto& out : outputs) {
      const auto of = type == dtype::variant ? type_of(out.width) : type;
      ids.push_back(
          build_.add_value(build_.make_value("y" + std::to_string(ids.size()), type_of(of, out.shape), baton::value_kind::intermediate)));
      if (scale_ > 0) build_.quantize(ids.back(), scale_, zero_point_);
    }
    build_.add_node(build_.make_node("node", op), {operands_.data(), operands_.size()}, {ids.data(), ids.size()},
                    {literals.begin(), literals.size()});
    for (const auto id : ids) build_.output(id);
    const auto program = build_.finish();
    nodes::interpreter runner{baton::program_view(program)};
    auto why = runner.run(kernels, input_, output_);
    return why.starts_with("node: ") ? why.substr(6) : why;
  }
  /// True if the node computes the data of `outputs`. It must be supported.
  auto computes(std::string_view op, const std::vector<tensor>& outputs, std::initializer_list<baton::named_literal> literals = {})
      -> bool {
    const auto why = run(op, outputs, literals);
    CAPTURE(why);
    REQUIRE(why == "");
    bytes expected;
    for (const auto& out : outputs) expected.insert(expected.end(), out.data.begin(), out.data.end());
    return expected == output_;
  }

 private:
  baton::program_builder build_;
  std::vector<baton::value_id> operands_;
  bytes input_;
  bytes output_;
  float scale_ = 0;
  std::int64_t zero_point_ = 0;
};

/// A generator of random shapes, elements and choices.
class drawn {
 public:
  explicit drawn(unsigned seed) : engine_(seed) {}
  auto from_to(std::int64_t min, std::int64_t max) -> std::int64_t {
    return std::uniform_int_distribution<std::int64_t>(min, max)(engine_);
  }
  auto once_in(std::int64_t n) -> bool { return from_to(1, n) == 1; }
  auto numbers(std::size_t count, std::int64_t min, std::int64_t max) -> list {
    list result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(from_to(min, max));
    return result;
  }
  auto rank(std::int64_t min = 1, std::int64_t max = 5) -> std::size_t { return static_cast<std::size_t>(from_to(min, max)); }
  auto shape(std::size_t rank) -> list {
    auto result = numbers(rank, 1, rank > 4 ? 3 : 5);
    for (auto& size : result) size = once_in(4) ? 1 : size;
    return result;
  }
  auto of(const list& shape) -> tensor { return of(shape, std::size_t{1} << from_to(0, 3)); }
  auto of(const list& shape, std::size_t width) -> tensor {
    tensor result{shape, width};
    for (auto left = static_cast<std::size_t>(plain::count(shape)) * width; left > 0; --left)
      result.data.push_back(static_cast<char>(from_to(-128, 127)));
    return result;
  }
  auto order(std::size_t rank) -> list {
    list result;
    for (std::size_t d = 0; d < rank; ++d) result.push_back(static_cast<std::int64_t>(d));
    std::shuffle(result.begin(), result.end(), engine_);
    return result;
  }

 private:
  std::mt19937 engine_;
};

/// Returns paddings in the order of the schema: before and after each dimension.
auto paired(const list& before, const list& after) -> list {
  list result;
  for (std::size_t d = 0; d < before.size(); ++d) {
    result.push_back(before[d]);
    result.push_back(after[d]);
  }
  return result;
}
auto zeros(std::size_t width) -> bytes { return bytes(width, '\0'); }

}  // namespace

TEST_CASE("random transposes and reversals match the reference") {
  drawn draw(1);
  for (int i = 0; i < 500; ++i) {
    const auto x = draw.of(draw.shape(draw.rank(0, 6)));
    const auto order = draw.order(x.shape.size());
    CHECK(one_node().input(x).numbers(order).computes("tfl.transpose", {plain::transpose(x, order)}));

    std::vector<list> indices;
    list axes;
    for (const auto d : order) {
      if (draw.once_in(2)) axes.push_back(draw.once_in(2) ? d : d - static_cast<std::int64_t>(x.shape.size()));
    }
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
      const auto at = static_cast<std::int64_t>(d);
      const bool is_backwards = std::any_of(
          axes.begin(), axes.end(), [&](auto axis) { return axis == at || axis + static_cast<std::int64_t>(x.shape.size()) == at; });
      indices.push_back(is_backwards ? plain::indices(x.shape[d], x.shape[d] - 1, -x.shape[d] - 1, -1)
                                     : plain::indices(x.shape[d], 0, x.shape[d], 1));
    }
    CHECK(one_node().input(x).numbers(axes).computes("tfl.reverse_v2", {plain::take(x, indices)}));
  }
}

TEST_CASE("random slices match the reference") {
  drawn draw(2);
  for (int i = 0; i < 1000; ++i) {
    const auto x = draw.of(draw.shape(draw.rank()));
    list begin;
    list size;
    std::vector<list> indices;
    for (const auto whole : x.shape) {
      begin.push_back(draw.from_to(0, whole - 1));
      const auto count = draw.from_to(1, whole - begin.back());
      size.push_back(begin.back() + count == whole && draw.once_in(2) ? -1 : count);
      indices.push_back(plain::indices(whole, begin.back(), begin.back() + count, 1));
    }
    const auto type = draw.once_in(2) ? dtype::int32 : dtype::int64;
    const list rank{static_cast<std::int64_t>(x.shape.size())};
    CHECK(one_node().input(x).numbers(begin, rank, type).numbers(size, rank, type).computes("tfl.slice", {plain::take(x, indices)}));
  }
}

TEST_CASE("random strided slices with all masks match the reference") {
  drawn draw(3);
  int tried = 0;
  while (tried < 2000) {
    const auto x = draw.of(draw.shape(draw.rank()));
    const auto rank = x.shape.size();
    const auto named = static_cast<std::size_t>(draw.from_to(0, static_cast<std::int64_t>(rank)));
    const auto ellipsis = draw.once_in(3) ? static_cast<std::size_t>(draw.from_to(0, static_cast<std::int64_t>(named))) : rank + 1;
    list begin;
    list end;
    list strides;
    std::array<std::int64_t, 5> masks{};  // begin, end, ellipsis, new axis, shrink
    std::vector<list> indices;
    list shape;
    const auto bit = [&] { return std::int64_t{1} << begin.size(); };
    const auto whole = [&](std::size_t d) {
      indices.push_back(plain::indices(x.shape[d], 0, x.shape[d], 1));
      shape.push_back(x.shape[d]);
    };
    const auto none = [&] {
      begin.push_back(draw.from_to(-3, 3));
      end.push_back(draw.from_to(-3, 3));
      strides.push_back(1);
    };
    bool is_empty = false;
    for (std::size_t n = 0; n <= named; ++n) {
      if (draw.once_in(6)) {
        masks[3] |= bit();
        none();
        shape.push_back(1);
      }
      if (n == ellipsis) {
        masks[2] |= bit();
        none();
        for (auto left = rank - named; left > 0; --left) whole(indices.size());
      }
      if (n == named) break;
      const auto size = x.shape[indices.size()];
      auto b = draw.from_to(-size - 2, size + 1);
      auto e = draw.from_to(-size - 2, size + 1);
      auto s = draw.from_to(1, 3);
      const bool is_shrunk = draw.once_in(5);
      if (is_shrunk) b = draw.from_to(-size, size - 1);
      if (!is_shrunk && draw.once_in(3)) s = -s;
      const bool is_from_start = draw.once_in(4);
      const bool is_to_end = draw.once_in(4);
      if (is_from_start) masks[0] |= bit();
      if (is_to_end) masks[1] |= bit();
      if (is_shrunk) masks[4] |= bit();
      begin.push_back(b);
      end.push_back(e);
      strides.push_back(s);
      if (is_from_start) b = s > 0 ? 0 : size - 1;
      if (is_to_end) e = s > 0 ? size : -size - 1;
      if (is_shrunk) {
        indices.push_back({b < 0 ? b + size : b});
      } else {
        indices.push_back(plain::indices(size, b, e, s));
        shape.push_back(static_cast<std::int64_t>(indices.back().size()));
      }
      is_empty = is_empty || indices.back().empty();
    }
    while (indices.size() < rank) whole(indices.size());
    if (is_empty || begin.empty()) continue;
    ++tried;
    auto out = plain::take(x, indices);
    out.shape = shape;
    CHECK(one_node().input(x).numbers(begin).numbers(end).numbers(strides).computes("tfl.strided_slice", {out},
                                                                                    {{"begin_mask", masks[0]},
                                                                                     {"end_mask", masks[1]},
                                                                                     {"ellipsis_mask", masks[2]},
                                                                                     {"new_axis_mask", masks[3]},
                                                                                     {"shrink_axis_mask", masks[4]}}));
  }
}

TEST_CASE("random paddings match the reference") {
  drawn draw(4);
  for (int i = 0; i < 500; ++i) {
    const auto x = draw.of(draw.shape(draw.rank(1, 4)));
    const auto before = draw.numbers(x.shape.size(), 0, 2);
    const auto after = draw.numbers(x.shape.size(), 0, 2);
    const list pairs{static_cast<std::int64_t>(x.shape.size()), 2};
    const auto type = draw.once_in(2) ? dtype::int32 : dtype::int64;
    const auto zero_point = draw.from_to(-128, 127);
    const auto around = x.width == 1 ? bytes{static_cast<char>(zero_point)} : zeros(x.width);
    CHECK(one_node()
              .input(x)
              .numbers(paired(before, after), pairs, type)
              .quantize(0.5f, x.width == 1 ? zero_point : 0)
              .computes("tfl.pad", {plain::pad(x, before, after, around)}));
    CHECK(one_node()
              .input(x)
              .numbers(paired(before, after), pairs, type)
              .computes("tfl.pad", {plain::pad(x, before, after, zeros(x.width))}));
    const auto value = draw.of({}, x.width);
    CHECK(one_node()
              .input(x)
              .numbers(paired(before, after), pairs, type)
              .input(value)
              .computes("tfl.padv2", {plain::pad(x, before, after, value.data)}));

    const bool is_reflect = draw.once_in(2);
    list left;
    list right;
    for (const auto size : x.shape) {
      left.push_back(draw.from_to(0, is_reflect ? size - 1 : size));
      right.push_back(draw.from_to(0, is_reflect ? size - 1 : size));
    }
    CHECK(
        one_node()
            .input(x)
            .numbers(paired(left, right), pairs, type)
            .computes("tfl.mirror_pad", {plain::mirror_pad(x, left, right, is_reflect)}, {{"mode", is_reflect ? "reflect" : "symmetric"}}));
  }
}

TEST_CASE("random tiles, broadcasts and fills match the reference") {
  drawn draw(5);
  for (int i = 0; i < 500; ++i) {
    const auto x = draw.of(draw.shape(draw.rank(1, 4)));
    const auto times = draw.numbers(x.shape.size(), 1, 3);
    CHECK(one_node().input(x).numbers(times).computes("tfl.tile", {plain::tile(x, times)}));
    auto shape = draw.numbers(static_cast<std::size_t>(draw.from_to(0, 2)), 1, 3);
    for (const auto size : x.shape) shape.push_back(size == 1 ? draw.from_to(1, 4) : size);
    CHECK(one_node().input(x).numbers(shape).computes("tfl.broadcast_to", {plain::broadcast_to(x, shape)}));
    const auto value = draw.of({});
    CHECK(one_node().numbers(shape).input(value).computes("tfl.fill", {plain::broadcast_to(value, shape)}));
    const tensor nothing{x.shape, x.width, bytes(x.data.size(), '\0')};
    CHECK(one_node().input(x).computes("tfl.zeros_like", {nothing}));
  }
}

TEST_CASE("random block rearrangements match the reference") {
  drawn draw(6);
  for (int i = 0; i < 500; ++i) {
    const auto block = draw.from_to(1, 3);
    const auto deep = draw.of({draw.from_to(1, 2), draw.from_to(1, 3), draw.from_to(1, 3), draw.from_to(1, 3) * block * block});
    const auto wide = plain::depth_to_space(deep, block);
    CHECK(one_node().input(deep).computes("tfl.depth_to_space", {wide}, {{"block_size", block}}));
    CHECK(one_node().input(wide).computes("tfl.space_to_depth", {plain::space_to_depth(wide, block)}, {{"block_size", block}}));

    const auto dimensions = draw.rank(1, 2);
    const auto blocks = draw.numbers(dimensions, 1, 3);
    const auto before = draw.numbers(dimensions, 0, 2);
    auto after = draw.numbers(dimensions, 0, 2);
    auto space = draw.of(draw.shape(dimensions + 1 + draw.rank(0, 2)));
    for (std::size_t d = 0; d < dimensions; ++d) {
      while ((space.shape[d + 1] + before[d] + after[d]) % blocks[d] != 0) ++after[d];
    }
    const list pairs{static_cast<std::int64_t>(dimensions), 2};
    const auto zero_point = space.width == 1 ? draw.from_to(-128, 127) : 0;
    const auto around = space.width == 1 ? bytes{static_cast<char>(zero_point)} : zeros(space.width);
    const auto batched = plain::space_to_batch(space, blocks, before, after, around);
    CHECK(one_node()
              .input(space)
              .numbers(blocks)
              .numbers(paired(before, after), pairs)
              .quantize(0.5f, zero_point)
              .computes("tfl.space_to_batch_nd", {batched}));
    const auto restored = plain::batch_to_space(batched, blocks, before, after);
    CHECK(restored.data == space.data);
    CHECK(one_node().input(batched).numbers(blocks).numbers(paired(before, after), pairs).computes("tfl.batch_to_space_nd", {restored}));
  }
}

TEST_CASE("random concatenations and splits match the reference") {
  drawn draw(7);
  for (int i = 0; i < 500; ++i) {
    const auto rank = draw.rank();
    const auto axis = static_cast<std::size_t>(draw.from_to(0, static_cast<std::int64_t>(rank) - 1));
    const auto stated = static_cast<std::int64_t>(axis) - (draw.once_in(2) ? static_cast<std::int64_t>(rank) : 0);
    const auto width = std::size_t{1} << draw.from_to(0, 3);
    auto shape = draw.shape(rank);
    const bool is_even = draw.once_in(2);
    std::vector<tensor> parts;
    list sizes;
    for (auto left = draw.from_to(1, 5); left > 0; --left) {
      if (!is_even) shape[axis] = draw.from_to(1, 4);
      sizes.push_back(shape[axis]);
      parts.push_back(draw.of(shape, width));
    }
    const auto whole = plain::concatenate(parts, axis);
    one_node joint;
    for (const auto& part : parts) joint.input(part);
    CHECK(joint.computes("tfl.concatenation", {whole}, {{"axis", stated}, {"fused_activation_function", "none"}}));
    if (draw.once_in(2)) sizes[static_cast<std::size_t>(draw.from_to(0, static_cast<std::int64_t>(sizes.size()) - 1))] = -1;
    CHECK(one_node().input(whole).numbers(sizes).numbers({stated}, {}).computes("tfl.split_v", parts));
    if (is_even) CHECK(one_node().numbers({stated}, {}).input(whole).computes("tfl.split", parts));

    // Each packed part has one element along an axis that the part itself does not have.
    auto thin = draw.shape(rank);
    thin[axis] = 1;
    std::vector<tensor> slices;
    std::vector<tensor> flat;
    for (auto left = draw.from_to(1, 4); left > 0; --left) {
      slices.push_back(draw.of(thin, width));
      flat.push_back(slices.back());
      flat.back().shape.erase(flat.back().shape.begin() + static_cast<std::ptrdiff_t>(axis));
    }
    const auto packed = plain::concatenate(slices, axis);
    one_node pack;
    for (const auto& part : flat) pack.input(part);
    CHECK(pack.computes("tfl.pack", {packed}, {{"axis", stated}}));
    CHECK(one_node().input(packed).computes("tfl.unpack", flat, {{"axis", stated}}));
  }
}

TEST_CASE("random gathers match the reference, even with indices out of range") {
  drawn draw(8);
  for (int i = 0; i < 500; ++i) {
    const auto x = draw.of(draw.shape(draw.rank(1, 4)));
    const auto axis = static_cast<std::size_t>(draw.from_to(0, static_cast<std::int64_t>(x.shape.size()) - 1));
    const auto batches = static_cast<std::size_t>(draw.from_to(0, static_cast<std::int64_t>(axis)));
    list shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(batches));
    for (auto dimensions = draw.from_to(0, 2); dimensions > 0; --dimensions) shape.push_back(draw.from_to(1, 3));
    const bool is_wide = draw.once_in(2);
    const auto numbers = draw.numbers(static_cast<std::size_t>(plain::count(shape)), -2, x.shape[axis] + 1);
    const tensor positions{shape, is_wide ? 8u : 4u, encoded(numbers, is_wide ? 8 : 4)};
    const auto type = is_wide ? dtype::int64 : dtype::int32;
    const bool is_negative = batches < shape.size() && draw.once_in(2);
    const auto stated = static_cast<std::int64_t>(batches) - (is_negative ? static_cast<std::int64_t>(shape.size()) : 0);
    CHECK(one_node()
              .input(x)
              .input(positions, type)
              .computes("tfl.gather", {plain::gather(x, shape, numbers, axis, batches)},
                        {{"axis", static_cast<std::int64_t>(axis)}, {"batch_dims", stated}}));

    auto rows = draw.numbers(static_cast<std::size_t>(draw.from_to(0, 2)), 1, 3);
    rows.push_back(draw.from_to(1, static_cast<std::int64_t>(x.shape.size())));
    const auto chosen = draw.numbers(static_cast<std::size_t>(plain::count(rows)), -1, 5);
    CHECK(one_node()
              .input(x)
              .input({rows, 4, encoded(chosen, 4)}, dtype::int32)
              .computes("tfl.gather_nd", {plain::gather_nd(x, rows, chosen)}));

    const auto table = draw.of({draw.from_to(1, 5), draw.from_to(1, 4)});
    const auto words = draw.numbers(3, -1, 6);
    CHECK(one_node()
              .input({{3}, 4, encoded(words, 4)}, dtype::int32)
              .input(table)
              .computes("tfl.embedding_lookup", {plain::gather(table, {3}, words, 0, 0)}));

    list part;
    for (const auto size : x.shape) part.push_back(draw.from_to(1, size));
    const auto update = draw.of(part, x.width);
    const auto begin = draw.numbers(x.shape.size(), -3, 6);
    CHECK(one_node()
              .input(x)
              .input(update)
              .input({{static_cast<std::int64_t>(begin.size())}, 4, encoded(begin, 4)}, dtype::int32)
              .computes("tfl.dynamic_update_slice", {plain::update(x, update, begin)}));
    std::vector<list> indices;
    for (std::size_t d = 0; d < part.size(); ++d) {
      const auto first = std::clamp<std::int64_t>(begin[d], 0, x.shape[d] - part[d]);
      indices.push_back(plain::indices(x.shape[d], first, first + part[d], 1));
    }
    CHECK(one_node()
              .input(x)
              .input({{static_cast<std::int64_t>(begin.size())}, 4, encoded(begin, 4)}, dtype::int32)
              .numbers(part)
              .computes("tfl.slice", {plain::take(x, indices)}));
  }
}

TEST_CASE("shape, squeeze, expand_dims and cast do not change the elements") {
  drawn draw(9);
  for (int i = 0; i < 100; ++i) {
    const auto x = draw.of(draw.shape(draw.rank()));
    const list rank{static_cast<std::int64_t>(x.shape.size())};
    CHECK(one_node().input(x).computes("tfl.shape", {{rank, 8, encoded(x.shape, 8)}}, {{"out_type", "int64"}}));
    list squeezed;
    for (const auto size : x.shape) {
      if (size != 1) squeezed.push_back(size);
    }
    CHECK(one_node().input(x).computes("tfl.squeeze", {{squeezed, x.width, x.data}}));
    auto expanded = x.shape;
    const auto at = draw.from_to(0, rank[0]);
    expanded.insert(expanded.begin() + at, 1);
    CHECK(one_node().input(x).numbers({at}, {}).computes("tfl.expand_dims", {{expanded, x.width, x.data}}));
    CHECK(one_node().input(x).computes("tfl.cast", {x}));
  }
  const auto wide = [](const list& numbers) { return tensor{{static_cast<std::int64_t>(numbers.size())}, 8, encoded(numbers, 8)}; };
  CHECK(one_node().input(wide({1, 4})).input(wide({5, 3, 1})).computes("tfl.broadcast_args", {wide({5, 3, 4})}));
}

TEST_CASE("unsupported data movements are rejected") {
  const tensor x{{2, 3}, 1, bytes(6)};
  const auto is = [](const std::string& why, std::string_view words) {
    CAPTURE(why);
    CAPTURE(words);
    CHECK(why.find(words) != std::string::npos);
  };
  is(one_node().input(x).numbers({0, 0}).run("tfl.transpose", {{{2, 2}, 1}}), "twice");
  is(one_node().input(x).input({{2}, 4, bytes(8)}, dtype::int32).run("tfl.transpose", {{{3, 2}, 1}}), "permutation is not a constant");
  is(one_node().input(x).numbers({1, 0}).run("tfl.transpose", {{{3, 2}, 2}}), "the operator returns");
  is(one_node().input(x, dtype::int8).numbers({1, 0}).run("tfl.transpose", {{{2, 3}, 1}}), "different shape");
  is(one_node().input({{2, 8}, 1, bytes(8)}, dtype::int4).numbers({1, 0}).run("tfl.transpose", {{{8, 2}, 1}}, {}, dtype::int4),
     "whole bytes");
  is(one_node().input(x).input({{3}, 4, bytes(12)}, dtype::int32).numbers({2, 1}).run("tfl.slice", {{{2, 1}, 1}}), "begin has 3 numbers");
  is(one_node().input(x).numbers({1, 1}).numbers({2, 1}).run("tfl.slice", {{{2, 1}, 1}}), "out of range in dimension 0");
  is(one_node().input(x).numbers({0, 0}).numbers({2, 2}).numbers({1, 0}).run("tfl.strided_slice", {{{2, 2}, 1}}), "is 0");
  is(one_node().input(x).numbers({0, 3}).numbers({2, 4}).numbers({1, 1}).run("tfl.strided_slice", {{{2}, 1}}, {{"shrink_axis_mask", 2}}),
     "out of range");
  is(one_node().input(x).numbers({0, 0}).numbers({2, 3}).numbers({1, 1}).run("tfl.strided_slice", {{{2, 3}, 1}}, {{"ellipsis_mask", 3}}),
     "2 ellipses");
  is(one_node().input(x).numbers({0}).numbers({0}).numbers({1}).run("tfl.strided_slice", {{{2, 3}, 1}}, {{"new_axis_mask", 1}}),
     "different shape");
  is(one_node().input(x).numbers({0, 2}).run("tfl.reverse_v2", {x}), "no dimension 2");
  is(one_node().input(x).numbers({1, -1}).run("tfl.reverse_v2", {x}), "given twice");
  is(one_node().input(x).numbers({-1, 1, 0, 0}, {2, 2}).run("tfl.pad", {{{2, 3}, 1}}), "negative");
  is(one_node().input(x).numbers({1, 0, 0, 0}, {2, 2}).quantize(0, 0).input({{2}, 1, bytes(2)}).run("tfl.padv2", {{{3, 3}, 1}}),
     "value has 2 elements");
  is(one_node().input(x).numbers({1, 0, 0, 0}, {2, 2}).input({{1}, 2, bytes(2)}).run("tfl.padv2", {{{3, 3}, 1}}), "value is int16");
  is(one_node().input(x).numbers({1, 0, 0, 0}, {2, 2}).quantize(1, 400).run("tfl.pad", {{{3, 3}, 1}}), "zero point 400");
  is(one_node().input(x).numbers({0, 0, 0, 3}, {2, 2}).run("tfl.mirror_pad", {{{2, 6}, 1}}, {{"mode", "reflect"}}), "is padded by 0 and 3");
  is(one_node().input(x).numbers({0, 0, 0, 3}, {2, 2}).run("tfl.mirror_pad", {{{2, 6}, 1}}, {{"mode", "round"}}), "mode is round");
  is(one_node().input(x).numbers({2, 4}).run("tfl.broadcast_to", {{{2, 4}, 1}}), "does not divide 4");
  is(one_node().input(x).numbers({4, 3}).run("tfl.broadcast_to", {{{4, 3}, 1}}), "does not broadcast");
  is(one_node().numbers({2}).input(x).run("tfl.fill", {{{2, 3}, 1}}), "different shape");
  is(one_node().input({{1, 3, 2, 1}, 1, bytes(6)}).run("tfl.space_to_depth", {{{1, 1, 1, 4}, 1}}, {{"block_size", 2}}), "do not divide");
  is(one_node().input({{1, 4, 1}, 1, bytes(4)}).numbers({2}).numbers({-1, 1}, {1, 2}).run("tfl.space_to_batch_nd", {{{2, 2, 1}, 1}}),
     "is negative");
  is(one_node().input({{1, 5, 1}, 1, bytes(5)}).numbers({2}).numbers({0, 0}, {1, 2}).run("tfl.space_to_batch_nd", {{{2, 2, 1}, 1}}),
     "do not divide");
  is(one_node().input(x).input({{2}, 4, bytes(8)}, dtype::float32).run("tfl.gather", {{{2, 3}, 1}}), "position is float32");
  is(one_node().input(x).input({{3}, 4, bytes(12)}, dtype::int32).run("tfl.gather", {{{2}, 1}}, {{"axis", 1}, {"batch_dims", 1}}),
     "of the positions");
  is(one_node().input(x).input(x).run("tfl.concatenation", {{{2, 6}, 1}}, {{"axis", 1}, {"fused_activation_function", "relu"}}), "fused");
  is(one_node().input(x).input(x).quantize(0.5f, 3).run("tfl.concatenation", {{{2, 6}, 1}}, {{"axis", 1}}), "no quantization per tensor");
  is(one_node().input(x).input(x).run("tfl.concatenation", {{{2, 6}, 1}}, {{"axis", 2}}), "no dimension 2");
  is(one_node().input(x).input({{1}, 4, bytes(4)}, dtype::int32).numbers({0}).run("tfl.split_v", {{{1, 3}, 1}, {{2, 3}, 1}}),
     "the sizes of the parts do not add up to the whole");
  is(one_node().input({{1}, 4, bytes(4)}, dtype::int32).input(x).run("tfl.split", {{{1, 3}, 1}, {{1, 3}, 1}}), "axis is not a constant");
  is(one_node().input(x).run("tfl.cast", {{{2, 3}, 2}}), "no kernel in the list");
  is(one_node().input(x).input({{2, 3}, 4, bytes(24)}, dtype::int32).run("tfl.reshape", {{{3, 2}, 1}}), "shape has 6 sizes");
}

namespace {

struct make_slice {
  constexpr auto operator()() const -> baton::exported_program {
    using namespace std::string_view_literals;
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int16, 3, 5));
    const auto begin = b.constant("begin", baton::tensor(dtype::int32, 2), "\x01\0\0\0\xff\xff\xff\xff"sv);
    const auto end = b.constant("end", baton::tensor(dtype::int32, 2), "\x03\0\0\0\x00\0\0\0"sv);
    const auto strides = b.constant("strides", baton::tensor(dtype::int32, 2), "\x01\0\0\0\xfe\xff\xff\xff"sv);
    b.output(b.call("tfl.strided_slice", {x, begin, end, strides}, baton::tensor(dtype::int16, 2, 2)));
    return b.finish();
  }
};
struct make_joint {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::float32, 2, 3));
    const auto y = b.user_input("y", baton::tensor(dtype::float32, 2, 1));
    b.output(b.call("tfl.concatenation", {x, y}, baton::tensor(dtype::float32, 2, 4), {{"axis", 1}}));
    return b.finish();
  }
};
/// Nodes of images [1, H, W, C], which can be computed by rows.
template <std::size_t Axis>
struct make_image_joint {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto part = [&](int size) {
      return baton::tensor(dtype::int8, 1, Axis == 1 ? size : 3, Axis == 2 ? size : 4, Axis == 3 ? size : 2);
    };
    const auto x = b.user_input("x", part(2));
    const auto y = b.user_input("y", part(3));
    const auto z = b.user_input("z", part(1));
    b.output(b.call("tfl.concatenation", {x, y, z}, part(6), {{"axis", static_cast<int>(Axis)}}));
    return b.finish();
  }
};
struct make_pad {
  constexpr auto operator()() const -> baton::exported_program {
    using namespace std::string_view_literals;
    baton::program_builder b;
    const auto pads = b.constant("pads", baton::tensor(dtype::int32, 4, 2),
                                 "\0\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0"sv);
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 1, 3, 4, 2));
    const auto y = b.call("tfl.pad", {x, pads}, baton::tensor(dtype::int8, 1, 6, 7, 3));
    b.quantize(y, 0.5f, -7);
    b.output(y);
    return b.finish();
  }
};
struct make_mirror_pad {
  constexpr auto operator()() const -> baton::exported_program {
    using namespace std::string_view_literals;
    baton::program_builder b;
    const auto pads =
        b.constant("pads", baton::tensor(dtype::int32, 4, 2), "\0\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0"sv);
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 1, 5, 3, 2));
    b.output(b.call("tfl.mirror_pad", {x, pads}, baton::tensor(dtype::int8, 1, 8, 5, 2), {{"mode", "reflect"}}));
    return b.finish();
  }
};
/// Rows 1 and 3, and the columns 3, 2, 1 in this order.
struct make_image_slice {
  constexpr auto operator()() const -> baton::exported_program {
    using namespace std::string_view_literals;
    baton::program_builder b;
    const auto begin = b.constant("begin", baton::tensor(dtype::int32, 4), "\0\0\0\0\x01\0\0\0\x03\0\0\0\0\0\0\0"sv);
    const auto end = b.constant("end", baton::tensor(dtype::int32, 4), "\x01\0\0\0\x05\0\0\0\0\0\0\0\x02\0\0\0"sv);
    const auto strides = b.constant("strides", baton::tensor(dtype::int32, 4), "\x01\0\0\0\x02\0\0\0\xff\xff\xff\xff\x01\0\0\0"sv);
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 1, 5, 4, 2));
    b.output(b.call("tfl.strided_slice", {x, begin, end, strides}, baton::tensor(dtype::int8, 1, 2, 3, 2)));
    return b.finish();
  }
};
template <bool IsBilinear, int Rows>
struct make_resize {
  constexpr auto operator()() const -> baton::exported_program {
    using namespace std::string_view_literals;
    baton::program_builder b;
    const auto size = b.constant("size", baton::tensor(dtype::int32, 2), Rows == 8 ? "\x08\0\0\0\x06\0\0\0"sv : "\x03\0\0\0\x06\0\0\0"sv);
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 1, 4, 3, 2));
    b.output(b.call(IsBilinear ? "tfl.resize_bilinear" : "tfl.resize_nearest_neighbor", {x, size},
                    baton::tensor(dtype::int8, 1, Rows, 6, 2), {{"align_corners", 0}, {"half_pixel_centers", IsBilinear ? 1 : 0}}));
    return b.finish();
  }
};
struct make_depth {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 1, 6, 4, 2));
    b.output(b.call("tfl.space_to_depth", {x}, baton::tensor(dtype::int8, 1, 3, 2, 8), {{"block_size", 2}}));
    return b.finish();
  }
};
struct make_split {
  constexpr auto operator()() const -> baton::exported_program {
    using namespace std::string_view_literals;
    baton::program_builder b;
    const auto axis = b.constant("axis", baton::tensor(dtype::int32), "\x01\0\0\0"sv);
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 3, 6));
    const auto parts = b.call_many("split", "tfl.split", {axis, x}, {baton::tensor(dtype::int8, 3, 3), baton::tensor(dtype::int8, 3, 3)});
    for (const auto part : parts) b.output(part);
    return b.finish();
  }
};
struct make_gather {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 5, 4));
    const auto at = b.user_input("at", baton::tensor(dtype::int32, 3));
    b.output(b.call("tfl.gather", {x, at}, baton::tensor(dtype::int8, 3, 4)));
    return b.finish();
  }
};

template <class Kernel, class Program>
auto obeys_the_laws(std::size_t input_bytes) -> bool {
  drawn draw(10);
  const auto numbers = draw.of({static_cast<std::int64_t>(input_bytes)}, 1).data;
  return laws::kernel::all<Kernel, Program>(baton::vector<char>(numbers.begin(), numbers.end()));
}

/// A kernel that declares windows of one row less, at the beginning or at the end.
template <class Kernel, bool IsFirst>
struct one_row_less : Kernel {
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) {
    auto answer = Kernel::describe(program, record);
    for (auto& operand : answer.facts.operands) {
      if (operand.window == baton::row_window::none()) continue;
      if (IsFirst) --operand.window.rows.before;
      --operand.window.rows.span;
    }
    return answer;
  }
};

/// The same for a node that can be computed by rows. Its distances and windows are the minimum.
template <class Kernel, class Program>
auto obeys_the_laws_by_rows(std::size_t input_bytes) -> bool {
  using baton::write_order;
  drawn draw(11);
  const auto numbers = draw.of({static_cast<std::int64_t>(input_bytes)}, 1).data;
  const baton::vector<char> input(numbers.begin(), numbers.end());
  return laws::kernel::trial_by_rows<Kernel, Program>::has_windows() && laws::kernel::all<Kernel, Program>(input) &&
         !laws::kernel::respects_distance<Kernel, Program, 0, write_order::ascending, 1>(input) &&
         !laws::kernel::respects_distance<Kernel, Program, 0, write_order::descending, 1>(input) &&
         !laws::kernel::respects_windows<one_row_less<Kernel, true>, Program>(input) &&
         !laws::kernel::respects_windows<one_row_less<Kernel, false>, Program>(input);
}

/// True if output `Output` of `make_split` is correct `NearerBy` bytes nearer to the operand than declared.
template <std::size_t Output, baton::write_order Order, std::int64_t NearerBy>
auto is_distance_of_split() -> bool {
  drawn draw(12);
  const auto numbers = draw.of({18}, 1).data;
  return laws::kernel::respects_distance<baton::portable::detail::split_parts, baton::static_program<make_split>, 1, Order, NearerBy,
                                         Output>(baton::vector<char>(numbers.begin(), numbers.end()));
}

auto file(const std::string& path) -> bytes {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("seanet_pad0 matches the outputs of the reference") {
  const auto folder = std::string(BATON_SHARED_DIR) + "/zoo/seanet_pad0/";
  const auto model = file(folder + "seanet_pad0.tflite");
  if (model.empty()) {
    MESSAGE("there is no ../shared/zoo/seanet_pad0");
    return;
  }
  const auto program = baton::tflite::read_bytes(model);
  for (const char run : {'0', '1', '2', '3'}) {
    nodes::interpreter runner{baton::program_view(program)};
    bytes output;
    REQUIRE(runner.run(kernels, file(folder + "input_" + run + ".bin"), output) == "");
    CHECK(output == file(folder + "output_" + run + ".bin"));
  }
}

TEST_CASE("data movement kernels obey the laws") {
  CHECK(obeys_the_laws<baton::portable::detail::move_elements, baton::static_program<make_slice>>(30));
  CHECK(obeys_the_laws<baton::portable::detail::join_parts, baton::static_program<make_joint>>(32));
  using baton::static_program;
  using baton::portable::detail::join_parts;
  using baton::portable::detail::move_elements;
  CHECK(obeys_the_laws_by_rows<join_parts, static_program<make_image_joint<1>>>(48));
  CHECK(obeys_the_laws_by_rows<join_parts, static_program<make_image_joint<2>>>(36));
  CHECK(obeys_the_laws_by_rows<join_parts, static_program<make_image_joint<3>>>(72));
  CHECK(obeys_the_laws_by_rows<move_elements, static_program<make_pad>>(24));
  CHECK(obeys_the_laws_by_rows<baton::portable::detail::mirror_pad, static_program<make_mirror_pad>>(30));
  CHECK(obeys_the_laws_by_rows<move_elements, static_program<make_image_slice>>(40));
  CHECK(obeys_the_laws_by_rows<move_elements, static_program<make_depth>>(48));
  using baton::portable::detail::resize;
  CHECK(laws::kernel::trial_by_rows<resize, static_program<make_resize<true, 8>>>::has_windows());
  CHECK(obeys_the_laws<resize, static_program<make_resize<true, 8>>>(24));
  CHECK(obeys_the_laws<resize, static_program<make_resize<true, 3>>>(24));
  CHECK(obeys_the_laws<resize, static_program<make_resize<false, 8>>>(24));
  CHECK(obeys_the_laws<resize, static_program<make_resize<false, 3>>>(24));
  CHECK(obeys_the_laws<baton::portable::detail::split_parts, baton::static_program<make_split>>(18));
  CHECK(!is_distance_of_split<0, baton::write_order::ascending, 1>());
  CHECK(!is_distance_of_split<1, baton::write_order::descending, 1>());
  CHECK(is_distance_of_split<1, baton::write_order::ascending, 3>());  // the bytes before the second part in a row
  CHECK(!is_distance_of_split<1, baton::write_order::ascending, 4>());
  CHECK(obeys_the_laws<baton::portable::detail::gather, baton::static_program<make_gather>>(32));
}
