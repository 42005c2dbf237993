// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/plan/shared/stored_processed_bytes.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/graphs.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

/// A backend with the list of operators as its processed bytes. `execute` records the processed bytes of each call.
struct npu {
  static inline baton::vector<baton::span<const char>> processed_bytes;
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    for (const auto& node : part.nodes_of(part.root())) append(append(processed.processed_bytes, part.text(node.target)), ";");
    return processed;
  }
  static void execute(const delegate_call& call) { processed_bytes.push_back(call.processed_bytes); }
};
constexpr auto target = backends<npu>;
using products = by_support<npu, operator_names<"aten.mm.default">>;
using sums = by_support<npu, operator_names<"aten.add.Tensor">>;

constexpr static_program mmadd{conformance::make<conformance::g_mmadd>{}};
constexpr static_program add3{conformance::make<conformance::g_add3>{}};
constexpr auto lowered = to_backend(target, mmadd, products{});
constexpr auto both = to_backend(target, methods(method<"a">(mmadd), method<"b">(mmadd), method<"c">(add3)),
                                 partitioners(for_method<"a">(products{}), for_method<"b">(products{}, sums{})));

template <class Program>
constexpr auto processed_bytes(Program, std::uint32_t call) -> baton::span<const char> {
  return call == 0 ? stored_processed_bytes<Program, delegate_id{0}>() : stored_processed_bytes<Program, delegate_id{1}>();
}

// Two parts of a program, and parts of methods that are lowered together, also of methods without a partitioner in the last round.
static_assert(processed_bytes(lowered, 0).data() == processed_bytes(lowered, 1).data() && processed_bytes(lowered, 0).size() == 16);
static_assert(processed_bytes(both[name<"a">], 0).data() == processed_bytes(both[name<"a">], 1).data());
static_assert(processed_bytes(both[name<"b">], 0).data() != processed_bytes(both[name<"b">], 1).data());
static_assert(std::string_view(processed_bytes(both[name<"b">], 1).data(), 16) == "aten.add.Tensor;");

constexpr auto two_methods = to_backend(target, methods(method<"a">(mmadd), method<"b">(mmadd)), products{});
static_assert(processed_bytes(two_methods[name<"a">], 1).data() == processed_bytes(two_methods[name<"b">], 0).data());

constexpr auto bytes_are_copied_and_compared() -> bool {
  text_buffer a(10'000, 'a');
  text_buffer b(10'000, 'b');
  copy_bytes(a, b.data());
  const bool equal = same_bytes(a, b) && same_bytes({}, {}) && !same_bytes(a, {});
  b[9'999] = 'b';
  return equal && !same_bytes(a, b) && same_bytes(baton::span{a}.first(9'999), baton::span{b}.first(9'999));
}
static_assert(bytes_are_copied_and_compared());

}  // namespace

TEST_CASE("equal processed bytes are stored once (R42, R216)") {
  npu::processed_bytes.clear();
  static basic_executor<two_methods[name<"a">], reference::any_aten> a;
  static basic_executor<two_methods[name<"b">], reference::any_aten> b;
  a.run();
  b.run();
  REQUIRE(npu::processed_bytes.size() == 4);
  for (const auto& each : npu::processed_bytes) {
    CHECK(each.data() == npu::processed_bytes[0].data());
    CHECK(std::string_view(each.data(), each.size()) == "aten.mm.default;");
  }
  CHECK(reinterpret_cast<std::uintptr_t>(npu::processed_bytes[0].data()) % 16 == 0);
}

TEST_CASE("bytes are copied and compared") { CHECK(bytes_are_copied_and_compared()); }
