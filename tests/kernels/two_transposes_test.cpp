// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Not an anonymous namespace: functions with external linkage are inlined otherwise, so that the wrong code of GCC 12 is seen.
namespace two_transposes {

using namespace baton;

/// The keys of an attention layer: a third of each row, with the heads first, and each head transposed.
struct keys_of_attention {
  constexpr auto operator()() const -> exported_program {
    constexpr auto f32 = dtype::float32, i32 = dtype::int32;
    program_builder b;
    const auto integers = [&](std::string_view name, std::string_view bytes) {
      return b.constant(name, tensor(i32, static_cast<std::int64_t>(bytes.size() / 4)), bytes);
    };
    const auto heads_first = integers("heads_first", {"\0\0\0\0\2\0\0\0\1\0\0\0\3\0\0\0", 16});
    const auto transposed = integers("transposed", {"\0\0\0\0\2\0\0\0\1\0\0\0", 12});
    const auto sizes = integers("sizes", {"\40\0\0\0\40\0\0\0\40\0\0\0", 12}), axis = integers("axis", {"\2\0\0\0", 4});
    const auto x = b.user_input("x", tensor(f32, 1, 16, 96));
    const auto negative = b.call("negative", "tfl.neg", {x}, tensor(f32, 1, 16, 96));
    const auto part = tensor(f32, 1, 16, 32);
    const auto parts = b.call_many("parts", "tfl.split_v", {negative, sizes, axis}, {part, part, part});
    const std::int64_t by_head[] = {1, 16, 4, 8}, matrices[] = {4, 16, 8};
    const auto split = b.call("split", "tfl.reshape", {parts[1]}, tensor(f32, 1, 16, 4, 8), {{"new_shape", span{by_head}}});
    const auto heads = b.call("heads", "tfl.transpose", {split, heads_first}, tensor(f32, 1, 4, 16, 8));
    const auto rows = b.call("rows", "tfl.reshape", {heads}, tensor(f32, 4, 16, 8), {{"new_shape", span{matrices}}});
    b.output(b.call("keys", "tfl.transpose", {rows, transposed}, tensor(f32, 4, 8, 16)));
    return b.finish();
  }
};
constexpr static_program<keys_of_attention> program{};
executor<program> net;

}  // namespace two_transposes

TEST_CASE("the second of two transposes reads the right addresses, with GCC 12 at -O1, too") {
  static std::array<float, 16 * 96> in;
  static std::array<float, 4 * 8 * 16> out;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = -static_cast<float>(i);
  two_transposes::net.run(in, out);
  std::size_t wrong = 0;
  for (std::size_t head = 0; head < 4; ++head) {
    for (std::size_t k = 0; k < 8; ++k) {
      for (std::size_t row = 0; row < 16; ++row) {
        wrong += out[(head * 8 + k) * 16 + row] == static_cast<float>(row * 96 + 32 + head * 8 + k) ? 0u : 1u;
      }
    }
  }
  CHECK(wrong == 0);
}
