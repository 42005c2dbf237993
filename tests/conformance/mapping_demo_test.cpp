// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/compat/executorch/print_mapping.hpp>
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::backend_with_compiler_demo, conformance::backend_with_delegate_mapping_demo>;
constexpr auto model = static_program{conformance::make<conformance::g_crt>{}};
constexpr auto by_id = to_backend(target, name<"BackendWithDelegateMappingDemo">, model);
constexpr auto by_partitioner =
    to_backend(target, model, conformance::all_nodes_partitioner<conformance::backend_with_delegate_mapping_demo>{});

constexpr std::string_view golden_processed_bytes =
    "5#conv_relu_op,0,conv_relu_op,1,sin_decomp_from_tan,2,cos_decomp_from_tan,3,div_decomp_from_tan,4,";
static_assert(golden_processed_bytes.size() == 98);

constexpr auto is_golden(const lowered_module_view& module) -> bool {
  const auto map = module.debug_handle_map();
  const auto entry_is = [&](std::size_t at, std::initializer_list<std::int64_t> handles) {
    return map[at].identifier == static_cast<std::int64_t>(at) && !map[at].is_text &&
           std::ranges::equal(module.handles(map[at]), baton::span{handles.begin(), handles.size()});
  };
  return module.backend_id() == "BackendWithDelegateMappingDemo" && module.processed_bytes() == golden_processed_bytes && map.size() == 5 &&
         entry_is(0, {1, 2}) && entry_is(1, {3, 4}) && entry_is(2, {5}) && entry_is(3, {5}) && entry_is(4, {5});
}

constexpr std::string_view golden_original =
    "  %p_conv1_weight = placeholder[target=conv1.weight]  # float32[16, 3, 3, 3], parameter\n"
    "  %p_conv1_bias = placeholder[target=conv1.bias]  # float32[16], parameter\n"
    "  %p_conv2_weight = placeholder[target=conv2.weight]  # float32[32, 16, 3, 3], parameter\n"
    "  %p_conv2_bias = placeholder[target=conv2.bias]  # float32[32], parameter\n"
    "  %x = placeholder[target=x]  # float32[4, 3, 64, 64]\n"
    "  %conv = call_function[target=aten.convolution.default](%x, %p_conv1_weight, %p_conv1_bias)  # float32[4, 16, 62, 62]\n"
    "  %relu = call_function[target=aten.relu.default](%conv)  # float32[4, 16, 62, 62]\n"
    "  %conv_1 = call_function[target=aten.convolution.default](%relu, %p_conv2_weight, %p_conv2_bias)  # float32[4, 32, 60, 60]\n"
    "  %relu_1 = call_function[target=aten.relu.default](%conv_1)  # float32[4, 32, 60, 60]\n"
    "  %tan = call_function[target=aten.tan.default](%relu_1)  # float32[4, 32, 60, 60]\n"
    "  return (%tan,)\n";

constexpr auto the_compiler_makes_the_golden_processed_bytes() -> bool { return is_golden(by_id.view()); }
static_assert(the_compiler_makes_the_golden_processed_bytes());

constexpr auto run_time_makes_the_golden_processed_bytes() -> bool {
  const auto lowered = to_backend(target, "BackendWithDelegateMappingDemo", conformance::g_crt());
  return is_golden(lowered.view()) && same(lowered, by_id.view().program());
}
static_assert(run_time_makes_the_golden_processed_bytes());

constexpr auto a_module_lowered_by_id_prints_the_original_and_the_facts() -> bool {
  const auto text = print(by_id.view().program());
  const auto golden = join("forward:\n", golden_original, "lowered module of forward: backend BackendWithDelegateMappingDemo, 98 bytes\n");
  return view(text) == view(golden);
}
static_assert(a_module_lowered_by_id_prints_the_original_and_the_facts());

// The owner keeps the parameters, because the partitioner tagged only compute nodes. The call receives them in the order of first use.
constexpr std::string_view golden_lowered =
    "forward:\n"
    "  %p_conv1_weight = placeholder[target=conv1.weight]  # float32[16, 3, 3, 3], parameter\n"
    "  %p_conv1_bias = placeholder[target=conv1.bias]  # float32[16], parameter\n"
    "  %p_conv2_weight = placeholder[target=conv2.weight]  # float32[32, 16, 3, 3], parameter\n"
    "  %p_conv2_bias = placeholder[target=conv2.bias]  # float32[32], parameter\n"
    "  %x = placeholder[target=x]  # float32[4, 3, 64, 64]\n"
    "  %tan = call_function[target=executorch_call_delegate](%lowered_module_0, %x, %p_conv1_weight, %p_conv1_bias, %p_conv2_weight, "
    "%p_conv2_bias)  # float32[4, 32, 60, 60]\n"
    "    lowered_module_0: backend BackendWithDelegateMappingDemo, 98 bytes\n"
    "      %x = placeholder[target=x]  # float32[4, 3, 64, 64]\n"
    "      %p_conv1_weight = placeholder[target=p_conv1_weight]  # float32[16, 3, 3, 3]\n"
    "      %p_conv1_bias = placeholder[target=p_conv1_bias]  # float32[16]\n"
    "      %p_conv2_weight = placeholder[target=p_conv2_weight]  # float32[32, 16, 3, 3]\n"
    "      %p_conv2_bias = placeholder[target=p_conv2_bias]  # float32[32]\n"
    "      %conv = call_function[target=aten.convolution.default](%x, %p_conv1_weight, %p_conv1_bias)  # float32[4, 16, 62, 62]\n"
    "      %relu = call_function[target=aten.relu.default](%conv)  # float32[4, 16, 62, 62]\n"
    "      %conv_1 = call_function[target=aten.convolution.default](%relu, %p_conv2_weight, %p_conv2_bias)  # float32[4, 32, 60, 60]\n"
    "      %relu_1 = call_function[target=aten.relu.default](%conv_1)  # float32[4, 32, 60, 60]\n"
    "      %tan = call_function[target=aten.tan.default](%relu_1)  # float32[4, 32, 60, 60]\n"
    "      return (%tan,)\n"
    "  return (%tan,)\n";

constexpr auto the_lowered_program_prints() -> bool { return view(print(by_partitioner)) == golden_lowered; }
static_assert(the_lowered_program_prints());

constexpr auto the_partitioner_produces_the_same_processed_bytes() -> bool {
  const auto modules = delegates(by_partitioner);
  return modules.size() == 1 && is_golden(modules[0]) && modules[0].name() == "lowered_module_0" &&
         non_lowered_nodes(by_partitioner).empty();
}
static_assert(the_partitioner_produces_the_same_processed_bytes());

// Placed in another program and frozen, the map and the processed bytes are the same.
constexpr static_program wrapped{[] { return standalone_program(by_id.view()); }};
constexpr auto a_wrapped_module_keeps_its_map() -> bool {
  const auto modules = delegates(wrapped);
  return modules.size() == 1 && is_golden(modules[0]) &&
         view(print_mapping(modules[0])) == "{0: (1, 2), 1: (3, 4), 2: (5,), 3: (5,), 4: (5,)}";
}
static_assert(a_wrapped_module_keeps_its_map());

}  // namespace

TEST_CASE("a backend lowered by id returns 98 bytes and five entries of its delegate mapping (T-DMB-7)") {
  CHECK(the_compiler_makes_the_golden_processed_bytes());
  CHECK(run_time_makes_the_golden_processed_bytes());
  CHECK(a_module_lowered_by_id_prints_the_original_and_the_facts());
  CHECK(a_wrapped_module_keeps_its_map());
}

TEST_CASE("a backend lowered by partitioner returns the same bytes, and the program prints as it should (T-DMB-7)") {
  CHECK(the_partitioner_produces_the_same_processed_bytes());
  CHECK(the_lowered_program_prints());
  const auto lowered =
      to_backend(target, conformance::g_crt(), conformance::all_nodes_partitioner<conformance::backend_with_delegate_mapping_demo>{});
  CHECK(same(lowered, by_partitioner));
  CHECK(std::string(view(print(lowered))) == std::string(golden_lowered));
}
