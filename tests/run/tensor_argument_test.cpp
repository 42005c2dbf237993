// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The types of arguments that `run` accepts for each dtype, and reads and writes of such arguments.
#include <baton/run/detail/tensor_argument.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "run/float_net.hpp"

namespace {

using namespace baton;
using detail::argument_problem;

template <class T, dtype Type, bool IsOutput = true>
constexpr auto problem_of() -> argument_problem {
  constexpr std::size_t count = 4;
  constexpr auto bytes = static_cast<std::size_t>(byte_count(Type, std::array<std::int64_t, 1>{count}));
  return detail::argument_check<T, Type, count, bytes, IsOutput>::problem();
}

/// True if these types, and no other numbers or bytes, are accepted as elements of a dtype.
template <dtype Type, class... Elements>
constexpr auto accepts_only() -> bool {
  const auto is_expected = []<class T>(std::type_identity<T>) {
    constexpr bool is_accepted = problem_of<std::array<T, 4>, Type>() == argument_problem::none;
    return is_accepted == (std::is_same_v<T, Elements> || ...);
  };
  return is_expected(std::type_identity<bool>{}) && is_expected(std::type_identity<float>{}) && is_expected(std::type_identity<double>{}) &&
         is_expected(std::type_identity<signed char>{}) && is_expected(std::type_identity<unsigned char>{}) &&
         is_expected(std::type_identity<short>{}) && is_expected(std::type_identity<unsigned short>{}) &&
         is_expected(std::type_identity<int>{}) && is_expected(std::type_identity<unsigned>{}) &&
         is_expected(std::type_identity<long long>{}) && is_expected(std::type_identity<unsigned long long>{}) &&
         is_expected(std::type_identity<char16_t>{});
}
static_assert(accepts_only<dtype::float32, float>() && accepts_only<dtype::float64, double>() && accepts_only<dtype::boolean, bool>());
static_assert(accepts_only<dtype::int8, signed char>() && accepts_only<dtype::uint8, unsigned char>());
static_assert(accepts_only<dtype::int16, short>() && accepts_only<dtype::uint16, unsigned short>());
static_assert(accepts_only<dtype::int32, int>() && accepts_only<dtype::uint32, unsigned>());
static_assert(accepts_only<dtype::int64, long long>() && accepts_only<dtype::uint64, unsigned long long>());
static_assert(accepts_only<dtype::float16, unsigned short>() && accepts_only<dtype::bfloat16, unsigned short>());
static_assert(accepts_only<dtype::float8_e4m3, unsigned char>() && accepts_only<dtype::float8_e5m2, unsigned char>());
static_assert(accepts_only<dtype::complex64>() && accepts_only<dtype::int4>());
// If two types have the same width, both are accepted; std::int32_t is `long` on some targets.
static_assert(problem_of<long[4], sizeof(long) == 8 ? dtype::int64 : dtype::int32>() == argument_problem::none);

// Raw bytes are accepted for any dtype, if their number is that of the tensor.
static_assert(problem_of<std::byte[16], dtype::float32>() == argument_problem::none);
static_assert(problem_of<char[16], dtype::float32>() == argument_problem::none);
static_assert(problem_of<char[4], dtype::float32>() == argument_problem::other_count);
static_assert(problem_of<std::array<std::byte, 2>, dtype::int4>() == argument_problem::none);
static_assert(problem_of<std::span<std::byte, 32>, dtype::complex64>() == argument_problem::none);
static_assert(problem_of<unsigned char[16], dtype::float32>() == argument_problem::other_elements);

// Several dimensions, const arguments, and types that are no tensors.
static_assert(problem_of<float[2][2], dtype::float32>() == argument_problem::none);
static_assert(problem_of<std::array<std::array<float, 1>, 4>, dtype::float32>() == argument_problem::none);
static_assert(problem_of<std::span<std::array<float, 2>, 2>, dtype::float32>() == argument_problem::none);
static_assert(problem_of<float[2][3], dtype::float32>() == argument_problem::other_count);
static_assert(problem_of<const float[4], dtype::float32>() == argument_problem::constant_output);
static_assert(problem_of<const std::array<float, 4>, dtype::float32>() == argument_problem::constant_output);
static_assert(problem_of<std::span<const float, 4>, dtype::float32>() == argument_problem::constant_output);
static_assert(problem_of<const std::span<float, 4>, dtype::float32>() == argument_problem::none);
static_assert(problem_of<const std::array<std::array<float, 2>, 2>, dtype::float32, false>() == argument_problem::none);
static_assert(problem_of<float*, dtype::float32>() == argument_problem::pointer);
static_assert(problem_of<float* const, dtype::float32>() == argument_problem::pointer);
static_assert(problem_of<std::span<float>, dtype::float32>() == argument_problem::size_at_run_time);
static_assert(problem_of<const std::vector<float>, dtype::float32, false>() == argument_problem::size_at_run_time);
static_assert(problem_of<float, dtype::float32>() == argument_problem::no_tensor);

TEST_CASE("arrays of several dimensions, spans and raw bytes are read and written in place") {
  float_net::net_type net;
  const float x[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::array<std::array<float, 3>, 2> y{};
  net.run(x, y);
  CHECK(y[1] == std::array<float, 3>{4, 5, 6});
  std::array<std::byte, 24> bytes{};
  net.run(y, bytes);
  std::vector<float> z(6);
  net.run(bytes, std::span<float, 6>(z));
  CHECK(std::equal(z.begin(), z.end(), &x[0][0]));
}

}  // namespace
