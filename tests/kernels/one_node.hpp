// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one node that are made and run at run time, thousands in a test.
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
  baton::tensor_type made{type, shape.size(), {}};
  for (std::size_t i = 0; i < shape.size(); ++i) made.sizes[i] = shape[i];
  return made;
}
inline auto count_of(const std::vector<int>& shape) -> int {
  int count = 1;
  for (const int size : shape) count *= size;
  return count;
}

template <class T>
auto bytes_of(const std::vector<T>& numbers) -> bytes {
  bytes made(numbers.size() * sizeof(T));
  if (!numbers.empty()) std::memcpy(made.data(), numbers.data(), made.size());
  return made;
}
template <class T>
auto numbers_of(const bytes& from) -> std::vector<T> {
  std::vector<T> made(from.size() / sizeof(T));
  if (!made.empty()) std::memcpy(made.data(), from.data(), made.size() * sizeof(T));
  return made;
}
inline auto int32_constant(baton::program_builder& b, std::string_view name, const std::vector<std::int32_t>& numbers) -> baton::value_id {
  const auto data = bytes_of(numbers);
  return b.constant(name, baton::tensor(baton::dtype::int32, numbers.size()), {data.data(), data.size()});
}

/// Choices of a test, the same in every run.
class drawn {
 public:
  explicit drawn(unsigned seed) : engine_(seed) {}
  auto from_to(int least, int most) -> int { return std::uniform_int_distribution<int>(least, most)(engine_); }
  auto once_in(int n) -> bool { return from_to(1, n) == 1; }
  template <class T>
  auto of(std::initializer_list<T> choices) -> T {
    return choices.begin()[from_to(0, static_cast<int>(choices.size()) - 1)];
  }
  auto shape(int min_rank, int max_rank, int max_size) -> std::vector<int> {
    std::vector<int> made(static_cast<std::size_t>(from_to(min_rank, max_rank)));
    for (auto& size : made) size = from_to(1, max_size);
    return made;
  }
  /// Whole quarters within so many as float32, truth values, or integers of the whole range.
  auto elements(baton::dtype type, int count, int quarters = 64) -> bytes {
    const auto each = [&](auto element, auto make) {
      std::vector<decltype(element)> made;
      for (int i = 0; i < count; ++i) made.push_back(static_cast<decltype(element)>(make()));
      return bytes_of(made);
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

/// Why a kernel does not take a program's first node; nothing if it does.
template <class Kernel>
auto refusal(const baton::program_view& program) -> std::string {
  const auto found = baton::ask_kernel<Kernel>(program, program.nodes[0]).support;
  return found.accepted ? std::string{} : std::string(baton::view(found.reason));
}
inline auto says(const std::string& reason, const std::string& words) -> bool { return reason.find(words) != std::string::npos; }

/// The outputs' bytes for the inputs'.
template <class Kernel>
auto run(const baton::program_view& program, const bytes& input) -> bytes {
  nodes::interpreter runner{program};
  bytes output;
  const auto why = runner.run(baton::kernels<Kernel>, input, output);
  REQUIRE(why == "");
  return output;
}

}  // namespace one_node
