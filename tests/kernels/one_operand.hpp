// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One-node programs with one operand that are built and run at run time.
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
  std::string_view op{};  ///< not owned
  tensor in{};
  tensor out{};
  baton::tensor_type shape{};  ///< only the sizes are used
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

/// Returns the outputs of a node. `why` becomes the reason if no kernel of `list` supports it, else "".
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

/// Returns "yes" if `Kernel` supports the first node of `program`, or the reason if not.
template <class Kernel>
auto answer(const baton::exported_program& program) -> std::string {
  const auto support = baton::ask_kernel<Kernel>(baton::program_view(program), program.nodes[0]).support;
  return support.accepted ? "yes" : std::string(baton::view(support.reason));
}

/// A generator of random numbers.
class drawn {
 public:
  explicit drawn(std::uint32_t seed) : engine_(seed) {}

  auto from_to(std::int64_t min, std::int64_t max) -> std::int64_t {
    return std::uniform_int_distribution<std::int64_t>(min, max)(engine_);
  }
  auto real(double min, double max) -> double { return std::uniform_real_distribution<double>(min, max)(engine_); }
  /// Returns a random scale with a uniform logarithm.
  auto scale(double min, double max) -> float { return static_cast<float>(std::exp(real(std::log(min), std::log(max)))); }
  /// Returns a random shape of rank 0 to 5.
  auto shape() -> baton::tensor_type {
    baton::tensor_type result;
    result.rank = static_cast<std::size_t>(from_to(0, 5));
    for (std::size_t i = 0; i < result.rank; ++i) result.sizes[i] = from_to(1, result.rank < 3 ? 17 : 4);
    return result;
  }
  /// Returns random integers. The minimum and the maximum of the type are more likely.
  template <class T>
  auto integers(std::size_t count) -> std::vector<T> {
    std::vector<T> result(count);
    for (auto& x : result) {
      const auto choice = from_to(0, 9);
      x = choice == 0   ? std::numeric_limits<T>::min()
          : choice == 1 ? std::numeric_limits<T>::max()
                        : static_cast<T>(from_to(INT64_MIN, INT64_MAX));
    }
    return result;
  }

 private:
  std::mt19937 engine_;
};

/// Returns a random zero point. Both ends of the range and 0 are more likely.
inline auto zero_point(drawn& draw, baton::dtype type) -> std::int64_t {
  const auto range = baton::portable::range_of(type);
  const auto choice = draw.from_to(0, 3);
  return choice == 0   ? range.lower
         : choice == 1 ? range.upper
         : choice == 2 ? std::max(range.lower, 0)
                       : draw.from_to(range.lower, range.upper);
}

inline auto count_of(const unary_node& node) { return static_cast<std::size_t>(baton::element_count(node.shape.shape())); }

}  // namespace one_operand
