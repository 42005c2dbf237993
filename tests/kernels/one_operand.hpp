// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one node with one operand, made and run at run time.
#pragma once

#include "nodes/interpreter.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/node_check.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace one_operand {

struct tensor {
  baton::dtype type = baton::dtype::float32;
  float scale = 0;  ///< 0: not quantized
  std::int64_t zero_point = 0;
};

struct unary_node {
  std::string_view op{};  ///< stays where it is
  tensor in{};
  tensor out{};
  baton::tensor_type shape{};  ///< its sizes
  double alpha = 0;
  bool approximate = false;
};

constexpr auto typed(baton::tensor_type shape, baton::dtype type) -> baton::tensor_type {
  shape.type = type;
  return shape;
}

constexpr auto make(const unary_node& node) -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", typed(node.shape, node.in.type));
  const auto y = b.call(node.op, {x}, typed(node.shape, node.out.type), {{"alpha", node.alpha}, {"approximate", node.approximate}});
  if (node.in.scale != 0) b.quantize(x, node.in.scale, node.in.zero_point);
  if (node.out.scale != 0) b.quantize(y, node.out.scale, node.out.zero_point);
  b.output(y);
  return b.finish();
}

/// The outputs of a node; fails with the reason of a refusal.
template <class Out, class Kernels, class In>
auto run(Kernels list, const unary_node& node, const std::vector<In>& in, std::string& why) -> std::vector<Out> {
  const auto program = make(node);
  nodes::interpreter runner{program};
  nodes::bytes input(in.size() * sizeof(In));
  if (!in.empty()) std::memcpy(input.data(), in.data(), input.size());
  nodes::bytes output;
  why = runner.run(list, input, output);
  std::vector<Out> out(output.size() / sizeof(Out));
  if (!out.empty()) std::memcpy(out.data(), output.data(), output.size());
  return out;
}

/// The reason of a refusal, "yes" where there is none.
template <class Kernel>
auto answer(const baton::exported_program& program) -> std::string {
  const auto found = baton::ask_kernel<Kernel>(baton::program_view(program), program.nodes[0]).support;
  return found.accepted ? "yes" : std::string(baton::view(found.reason));
}

/// Numbers drawn one after another.
class drawn {
 public:
  explicit drawn(std::uint32_t seed) : engine_(seed) {}

  auto from_to(std::int64_t least, std::int64_t most) -> std::int64_t {
    return std::uniform_int_distribution<std::int64_t>(least, most)(engine_);
  }
  auto real(double least, double most) -> double { return std::uniform_real_distribution<double>(least, most)(engine_); }
  /// As many of each power of two.
  auto scale(double least, double most) -> float { return static_cast<float>(std::exp(real(std::log(least), std::log(most)))); }
  /// Of rank 0 to 5.
  auto shape() -> baton::tensor_type {
    baton::tensor_type made;
    made.rank = static_cast<std::size_t>(from_to(0, 5));
    for (std::size_t i = 0; i < made.rank; ++i) made.sizes[i] = from_to(1, made.rank < 3 ? 17 : 4);
    return made;
  }
  /// Integers of a type: any, and both ends.
  template <class T>
  auto integers(std::size_t count) -> std::vector<T> {
    std::vector<T> made(count);
    for (auto& x : made) {
      const auto which = from_to(0, 9);
      x = which == 0   ? std::numeric_limits<T>::min()
          : which == 1 ? std::numeric_limits<T>::max()
                       : static_cast<T>(from_to(INT64_MIN, INT64_MAX));
    }
    return made;
  }

 private:
  std::mt19937 engine_;
};

/// Zero points at both ends, at 0 and between.
inline auto zero_point(drawn& draw, baton::dtype type) -> std::int64_t {
  const auto range = baton::portable::range_of(type);
  const auto which = draw.from_to(0, 3);
  return which == 0   ? range.lower
         : which == 1 ? range.upper
         : which == 2 ? std::max(range.lower, 0)
                      : draw.from_to(range.lower, range.upper);
}

inline auto count_of(const unary_node& node) { return static_cast<std::size_t>(baton::element_count(node.shape.shape())); }

}  // namespace one_operand
