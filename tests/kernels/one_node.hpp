// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One-node programs that are built and run at run time, thousands per test.
#pragma once

#include "nodes/interpreter.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace one_node {

using nodes::bytes;

inline auto type_of(baton::dtype type, const std::vector<int>& shape) -> baton::tensor_type {
  baton::tensor_type result{type, shape.size(), {}};
  for (std::size_t i = 0; i < shape.size(); ++i) result.sizes[i] = shape[i];
  return result;
}
inline auto count_of(const std::vector<int>& shape) -> int {
  int count = 1;
  for (const int size : shape) count *= size;
  return count;
}

template <class T>
auto bytes_of(const std::vector<T>& numbers) -> bytes {
  bytes result(numbers.size() * sizeof(T));
  if (!numbers.empty()) std::memcpy(result.data(), numbers.data(), result.size());
  return result;
}
template <class T>
auto numbers_of(const bytes& from) -> std::vector<T> {
  std::vector<T> result(from.size() / sizeof(T));
  if (!result.empty()) std::memcpy(result.data(), from.data(), result.size() * sizeof(T));
  return result;
}
inline auto int32_constant(baton::program_builder& b, std::string_view name, const std::vector<std::int32_t>& numbers) -> baton::value_id {
  const auto data = bytes_of(numbers);
  return b.constant(name, baton::tensor(baton::dtype::int32, numbers.size()), {data.data(), data.size()});
}

/// Random choices, the same in every run of a test.
class drawn {
 public:
  explicit drawn(unsigned seed) : engine_(seed) {}
  auto from_to(int min, int max) -> int { return std::uniform_int_distribution<int>(min, max)(engine_); }
  auto once_in(int n) -> bool { return from_to(1, n) == 1; }
  template <class T>
  auto of(std::initializer_list<T> choices) -> T {
    return choices.begin()[from_to(0, static_cast<int>(choices.size()) - 1)];
  }
  auto shape(int min_rank, int max_rank, int max_size) -> std::vector<int> {
    std::vector<int> result(static_cast<std::size_t>(from_to(min_rank, max_rank)));
    for (auto& size : result) size = from_to(1, max_size);
    return result;
  }
  /// Returns `count` random elements. Floats are multiples of 1/4 up to `quarters` / 4; integers cover their whole range.
  auto elements(baton::dtype type, int count, int quarters = 64) -> bytes {
    const auto each = [&](auto element, auto make) {
      std::vector<decltype(element)> result;
      for (int i = 0; i < count; ++i) result.push_back(static_cast<decltype(element)>(make()));
      return bytes_of(result);
    };
    if (type == baton::dtype::float32) return each(float{}, [&] { return static_cast<float>(from_to(-quarters, quarters)) / 4.0f; });
    if (type == baton::dtype::boolean) return each(char{}, [&] { return from_to(0, 1); });
    if (type == baton::dtype::int8) return each(std::int8_t{}, [&] { return from_to(-128, 127); });
    if (type == baton::dtype::int16) return each(std::int16_t{}, [&] { return from_to(-32768, 32767); });
    return each(std::int32_t{}, [&] { return from_to(INT32_MIN, INT32_MAX); });
  }

 private:
  std::mt19937 engine_;
};

/// Returns why `Kernel` does not support the first node of `program`, or "" if it does.
template <class Kernel>
auto refusal(const baton::program_view& program) -> std::string {
  const auto support = baton::ask_kernel<Kernel>(program, program.nodes[0]).support;
  return support.accepted ? std::string{} : std::string(baton::view(support.reason));
}
/// True if `reason` contains `words`.
inline auto says(const std::string& reason, const std::string& words) -> bool { return reason.find(words) != std::string::npos; }

/// Runs the node of `program`, which `Kernel` must support. Returns the bytes of its outputs.
template <class Kernel>
auto run(const baton::program_view& program, const bytes& input) -> bytes {
  nodes::interpreter runner{program};
  bytes output;
  const auto why = runner.run(baton::kernels<Kernel>, input, output);
  REQUIRE(why == "");
  return output;
}

}  // namespace one_node
