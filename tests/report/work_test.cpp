// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/builder.hpp>
#include <baton/report/work.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using enum dtype;

constexpr auto work_of(literal_name op, const tensor_type& a, const tensor_type& b, const tensor_type& c, const tensor_type& out)
    -> std::uint64_t {
  program_builder build;
  const auto x = build.user_input("x", a);
  const auto y = build.user_input("y", b);
  const auto z = build.user_input("z", c);
  build.output(build.call(op.text, {x, y, z}, out));
  const auto program = build.finish();
  return report::multiply_adds(program, program.nodes[0]);
}

constexpr auto multiply_adds_are_counted() -> bool {
  return work_of("tfl.conv_2d", tensor(int8, 1, 8, 8, 3), tensor(int8, 16, 3, 3, 3), tensor(int32, 16), tensor(int8, 1, 8, 8, 16)) ==
             8 * 8 * 16 * 27 &&
         work_of("tfl.depthwise_conv_2d", tensor(int8, 1, 8, 8, 4), tensor(int8, 1, 3, 3, 4), tensor(int32, 4), tensor(int8, 1, 8, 8, 4)) ==
             8 * 8 * 4 * 9 &&
         work_of("tfl.fully_connected", tensor(int8, 1, 64), tensor(int8, 10, 64), tensor(int32, 10), tensor(int8, 1, 10)) == 640 &&
         work_of("aten.addmm.default", tensor(float32, 3), tensor(float32, 2, 5), tensor(float32, 5, 3), tensor(float32, 2, 3)) == 30 &&
         work_of("aten.mm.default", tensor(float32, 2, 5), tensor(float32, 5, 3), tensor(float32, 1), tensor(float32, 2, 3)) == 30 &&
         work_of("tfl.softmax", tensor(int8, 1, 64), tensor(int8, 1), tensor(int8, 1), tensor(int8, 1, 64)) == 0 &&
         work_of("tfl.fully_connected", tensor(int8, -1, 64), tensor(int8, 10, 64), tensor(int32, 10), tensor(int8, -1, 10)) == 0;
}
static_assert(multiply_adds_are_counted());
TEST_CASE("work: multiply-adds by operator") { CHECK(multiply_adds_are_counted()); }

}  // namespace
