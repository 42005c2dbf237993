// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that lowers its part to another backend: the demo of R284, which no row of section 4 names.
#include <baton/compat/executorch/inspection.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/shared/control_flow.hpp>

#include "conformance/graphs.hpp"
#include "conformance/nested_demo_backends.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::backend_1_demo>;
constexpr auto lowered() -> exported_program { return to_backend(target, conformance::g_cond(), conformance::backend_1_partitioner{}); }

// G-COND: the sum before the `cond` is a part, and the `cond` with its branches is another one. In it, the sum of one branch and the
// product of the other are parts of the second backend.
constexpr std::string_view of_sum = "Backend1::(call_delegate(b'Backend2::aten.add.Tensor;');)";
constexpr std::string_view of_choice =
    "Backend1::(cond(aten.sub.Tensor;call_delegate(b'Backend2::aten.add.Tensor;');aten.sub.Tensor;,"
    "aten.sub.Tensor;call_delegate(b'Backend2::aten.mm.default;');aten.sub.Tensor;);)";

constexpr auto a_backend_lowers_to_another() -> bool {
  const auto program = lowered();
  const auto payload = delegated_payload(program);
  // The original graphs are the inputs of the first backend, not its results.
  return payload.size() == 2 && payload[0].second.processed_bytes == of_sum && payload[1].second.processed_bytes == of_choice &&
         delegates(program, graph_id{0}, reach::delegates).size() == 2;
}
static_assert(a_backend_lowers_to_another());

}  // namespace

TEST_CASE("preprocess of a backend may lower its part to another backend (R284)") {
  CHECK(a_backend_lowers_to_another());
  const auto program = lowered();
  for (const auto& [name, carried] : delegated_payload(program)) {
    const auto expected = std::string(name == "lowered_module_0" ? of_sum : of_choice);
    CHECK(std::string(carried.processed_bytes) == expected);
  }
}
