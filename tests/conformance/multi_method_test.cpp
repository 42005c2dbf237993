// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Several methods lowered together: rows of section 4.11 of the delegation specification.
#include <baton/backend/lowered_module.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/shared/stored_processed_bytes.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/backend_with_compiler_demo.hpp"
#include "conformance/demo_backends.hpp"
#include "conformance/demo_runtime.hpp"
#include "conformance/graphs.hpp"
#include "conformance/preprocess_all_demo.hpp"
#include "conformance/program_queries.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using conformance::make;
using conformance::two_by_two;
using first = conformance::first_backend_with_preprocess_all;
using second = conformance::second_backend_with_preprocess_all;
using demo = conformance::preprocess_all_partitioner;

constexpr auto target = backends<first, second>;

/// A chain of operators, separated by spaces. The operand of each is the result of the previous one. A sum or a difference has this operand
/// twice. If the name ends with `b`, its second operand is the input of the chain.
template <fixed_string Operators>
constexpr auto chain() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  auto latest = x;
  std::string_view unread_names = Operators;
  while (!unread_names.empty()) {
    const auto name = unread_names.substr(0, unread_names.find(' '));
    unread_names.remove_prefix(std::min(name.size() + 1, unread_names.size()));
    const bool takes_input = name.size() == 4;
    const auto op = join("aten.", name.substr(0, 3), name.starts_with("sin") || name.starts_with("cos") ? ".default" : ".Tensor");
    if (op.back() == 't') {
      latest = b.call(view(op), {latest}, two_by_two);
    } else {
      latest = b.call(view(op), {latest, takes_input ? x : latest}, two_by_two);
    }
  }
  b.output(latest);
  return b.finish();
}

/// All nodes are one part for a backend, with one compile spec.
template <class Backend, fixed_string Key, char Value>
struct tag_all {
  static constexpr auto partition(const program_view& program) -> partition_result {
    auto tagged = conformance::all_nodes_partitioner<Backend>::partition(program);
    const char value = Value;
    for (auto& [tag, spec] : tagged.partition_tags) spec.compile_specs.emplace_back(Key, std::string_view(&value, 1));
    return tagged;
  }
};

/// True if the calls of a program have exactly these processed bytes, in order.
constexpr auto processed_bytes_are(const program_view& program, std::initializer_list<std::string_view> processed_bytes) -> bool {
  const auto modules = delegates(program);
  auto expected = processed_bytes.begin();
  if (modules.size() != processed_bytes.size()) return false;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (modules[i].processed_bytes() != *expected++ || view(join("lowered_module_", i)) != modules[i].name()) return false;
  }
  return true;
}

template <auto Make>
constexpr static_program<make<Make>> model{};

// T-MM-1
using one_spec = tag_all<first, "max_value", '\x01'>;
constexpr auto one_method = to_backend(target, methods(method<"forward">(model<conformance::g_sin>)), one_spec{});
static_assert(one_method.size() == 1);
constexpr auto single_method() -> bool {
  constexpr auto processed_bytes = "FirstBackendWithPreprocessAll#1#aten.sin.default:#max_value:b'\\x01';";
  const auto lowered = to_backend(target, methods(method<"forward">(conformance::g_sin())), one_spec{});
  return lowered.size() == 1 && processed_bytes_are(lowered["forward"], {processed_bytes}) &&
         processed_bytes_are(one_method[name<"forward">], {processed_bytes});
}
static_assert(single_method());

// T-MM-2
constexpr auto by_name =
    partitioners(for_method<"sin">(tag_all<first, "sin", '\x02'>{}), for_method<"add">(tag_all<first, "add", '\x03'>{}));
constexpr auto two_lowered =
    to_backend(target, methods(method<"sin">(model<conformance::g_sin>), method<"add">(model<chain<"add">>)), by_name);
constexpr auto two_methods() -> bool {
  constexpr auto sine = "FirstBackendWithPreprocessAll#2#aten.sin.default:#sin:b'\\x02';";
  constexpr auto sum = "FirstBackendWithPreprocessAll#2#aten.add.Tensor:#add:b'\\x03';";
  const auto lowered = to_backend(target, methods(method<"sin">(conformance::g_sin()), method<"add">(chain<"add">())), by_name);
  return lowered.size() == 2 && processed_bytes_are(lowered["sin"], {sine}) && processed_bytes_are(lowered["add"], {sum}) &&
         processed_bytes_are(two_lowered[name<"sin">], {sine}) && processed_bytes_are(two_lowered[name<"add">], {sum});
}
static_assert(two_methods());

constexpr auto four_sums = "FirstBackendWithPreprocessAll#4#aten.add.Tensor:#add:b'\\x00';";
constexpr auto four_sines = "FirstBackendWithPreprocessAll#4#aten.sin.default:#sin:b'\\x01';";

// T-MM-3
constexpr auto chains =
    to_backend(target, methods(method<"add">(model<chain<"add mul add">>), method<"sin">(model<chain<"sin mul sin">>)), demo{});
constexpr auto two_methods_multiple_partitions() -> bool {
  const auto lowered = to_backend(target, methods(method<"add">(chain<"add mul add">()), method<"sin">(chain<"sin mul sin">())), demo{});
  return lowered.size() == 2 && processed_bytes_are(lowered["add"], {four_sums, four_sums}) &&
         processed_bytes_are(lowered["sin"], {four_sines, four_sines});
}
static_assert(two_methods_multiple_partitions());
static_assert(processed_bytes_are(chains[name<"add">], {four_sums, four_sums}) &&
              processed_bytes_are(chains[name<"sin">], {four_sines, four_sines}));
// The tags are those of the original.
constexpr auto tags_count_from_the_last_part() -> bool {
  const auto tagged = demo::partition(chain<"add mul add">());
  const auto name_at = [&](std::uint32_t n) { return tagged.name_of(tagged.tag_of(node_id{n})); };
  return name_at(0) == "first_tag1" && name_at(2) == "first_tag0" && tagged.tag_of(node_id{1}) == none<tag_id>;
}
static_assert(tags_count_from_the_last_part());

// T-MM-4
constexpr auto mixed_chains =
    to_backend(target, methods(method<"add_sin">(model<chain<"add mul sin">>), method<"sin_add">(model<chain<"sin mul add">>)), demo{});
constexpr auto two_methods_different_partitions() -> bool {
  const auto lowered =
      to_backend(target, methods(method<"add_sin">(chain<"add mul sin">()), method<"sin_add">(chain<"sin mul add">())), demo{});
  return lowered.size() == 2 && processed_bytes_are(lowered["add_sin"], {four_sums, four_sines}) &&
         processed_bytes_are(lowered["sin_add"], {four_sines, four_sums});
}
static_assert(two_methods_different_partitions());
static_assert(processed_bytes_are(mixed_chains[name<"add_sin">], {four_sums, four_sines}) &&
              processed_bytes_are(mixed_chains[name<"sin_add">], {four_sines, four_sums}));

// T-MM-5
constexpr auto of_first = "FirstBackendWithPreprocessAll#4#aten.add.Tensor:aten.sin.default:#add:b'\\x00';sin:b'\\x01';";
constexpr auto of_second = "SecondBackendWithPreprocessAll#4#aten.cos.default:aten.sub.Tensor:#cos:b'\\x03';sub:b'\\x02';";
constexpr auto two_backends = to_backend(
    target, methods(method<"first_second">(model<chain<"add sin cos subx">>), method<"second_first">(model<chain<"cos subx add sin">>)),
    demo{});
constexpr auto two_methods_different_backends() -> bool {
  const auto lowered = to_backend(
      target, methods(method<"first_second">(chain<"add sin cos subx">()), method<"second_first">(chain<"cos subx add sin">())), demo{});
  return lowered.size() == 2 && processed_bytes_are(lowered["first_second"], {of_first, of_second}) &&
         processed_bytes_are(lowered["second_first"], {of_second, of_first});
}
static_assert(two_methods_different_backends());
static_assert(processed_bytes_are(two_backends[name<"first_second">], {of_first, of_second}) &&
              processed_bytes_are(two_backends[name<"second_first">], {of_second, of_first}));

// T-MM-7: numbers are in graph order (Q21): Second, which runs first, is lowered_module_0. In the original, First's tag comes first, so
// Second is lowered_module_1, and First is lowered_module_0.
constexpr auto differences =
    "SecondBackendWithPreprocessAll#3#aten.sub.Tensor:aten.sub.Tensor:aten.sub.Tensor:#sub:b'\\x02';sub:b'\\x02';sub:b'\\x02';";
constexpr auto sums =
    "FirstBackendWithPreprocessAll#5#aten.add.Tensor:aten.add.Tensor:aten.add.Tensor:aten.add.Tensor:aten.add.Tensor:#"
    "add:b'\\x00';add:b'\\x00';add:b'\\x00';add:b'\\x00';add:b'\\x00';";
constexpr auto seq_lowered = to_backend(target, methods(method<"forward">(model<conformance::g_seq>)), demo{});
constexpr auto is_golden_seq(const program_view& program) -> bool {
  const auto nodes = program.nodes_of(program.root());
  // getitem_1 to getitem_3 of the original are the outputs sub to sub_2 of the first call.
  return processed_bytes_are(program, {differences, sums}) && nodes.size() == 4 && conformance::operands_are(program, nodes[0], "x y z") &&
         conformance::operands_are(program, nodes[3], "sub mul_1 sub_2 sub_1") && non_lowered_nodes(program).size() == 2;
}
constexpr auto sequential_delegates() -> bool {
  const auto lowered = to_backend(target, methods(method<"forward">(conformance::g_seq())), demo{});
  return is_golden_seq(lowered["forward"]) && is_golden_seq(seq_lowered[name<"forward">]) &&
         conformance::means_the_same(conformance::g_seq(), lowered["forward"]);
}
static_assert(sequential_delegates());

// T-MM-8: the constant has two users: `mul_2`, which stays with the owner and comes first, and `add`, whose part gets the copy.
constexpr auto sums_with_constant =
    "FirstBackendWithPreprocessAll#6#CONSTc_const_copy_0:aten.add.Tensor:aten.add.Tensor:aten.add.Tensor:aten.add.Tensor:aten.add.Tensor:"
    "aten.add.Tensor:#"
    "add:b'\\x00';add:b'\\x00';add:b'\\x00';add:b'\\x00';add:b'\\x00';add:b'\\x00';";
constexpr auto const_lowered = to_backend(target, methods(method<"forward">(model<conformance::g_const>)), demo{});
constexpr auto is_golden_const(const program_view& program) -> bool {
  const auto nodes = program.nodes_of(program.root());
  const auto modules = delegates(program);
  return processed_bytes_are(program, {differences, sums_with_constant}) &&
         conformance::inputs_are(program, modules[1].original(), "c_const_copy_0 sub mul_2 sub_2 sub_1") &&
         conformance::operands_are(program, nodes[4], "sub mul_2 sub_2 sub_1") &&
         conformance::inputs_are(program, graph_id{0}, "c_const x y z");
}
constexpr auto constants() -> bool {
  const auto lowered = to_backend(target, methods(method<"forward">(conformance::g_const())), demo{});
  return is_golden_const(lowered["forward"]) && is_golden_const(const_lowered[name<"forward">]);
}
static_assert(constants());

// T-MM-9: when the error is reported, nothing has been lowered, because all backends are looked up first. In the original, earlier backends
// have already run.
struct invalid : conformance::backend_with_compiler_demo {
  static constexpr auto id = name<"Invalid">;
};
constexpr auto not_found() -> failure {
  const auto each = partitioners(for_method("sin", tag_all<invalid, "a", '\x02'>{}), for_method("add", tag_all<first, "b", '\x03'>{}));
  return try_to_backend(target, methods(method<"sin">(conformance::g_sin()), method<"add">(chain<"add">())), each, validation::on).error;
}
constexpr std::string_view not_found_facts =
    " [method: sin] [tag: tag0] [backend: Invalid] [the list has: FirstBackendWithPreprocessAll SecondBackendWithPreprocessAll]";
static_assert(view(message(not_found())) == view(join(rule<"unknown_backend">::sentence, not_found_facts)));

// T-MM-10: two methods with equal programs: two delegates, whose processed bytes are stored once.
struct compiler_demo : conformance::backend_with_compiler_demo {
  static inline const char* processed_bytes = nullptr;
  static void execute(const delegate_call& call) {
    processed_bytes = call.processed_bytes.data();
    CHECK(conformance::demo_interpreter(call.inputs, call.outputs).run({call.processed_bytes.data(), call.processed_bytes.size()}) ==
          conformance::demo_code::ok);
  }
};
using end_to_end_partitioner = tag_all<compiler_demo, "max_value", '\x01'>;
constexpr auto end_to_end = to_backend(
    backends<compiler_demo>, methods(method<"forward">(model<conformance::g_sin>), method<"forward_copy">(model<conformance::g_sin>)),
    end_to_end_partitioner{});
constexpr std::string_view g_sin_processed_bytes = "1version:0#op:demo::aten.sin.default, numel:1, dtype:torch.float32<debug_handle>1#";
constexpr auto is_golden_sin(const program_view& program) -> bool {
  return processed_bytes_are(program, {g_sin_processed_bytes}) && program.delegates.size() == 1 &&
         delegates(program)[0].backend_id() == "BackendWithCompilerDemo";
}
static_assert(end_to_end.size() == 2 && is_golden_sin(end_to_end[name<"forward">]) && is_golden_sin(end_to_end[name<"forward_copy">]));
static_assert(stored_processed_bytes<decltype(end_to_end[name<"forward">]), delegate_id{0}>().data() ==
              stored_processed_bytes<decltype(end_to_end[name<"forward_copy">]), delegate_id{0}>().data());

template <auto Program>
auto value_at_one() -> float {
  static basic_executor<Program, reference::any_aten> net;
  const float one = 1;
  std::memcpy(net.input().data(), &one, sizeof one);
  net.run();
  float input = 0;
  float value = 0;
  std::memcpy(&input, net.input().data(), sizeof input);
  std::memcpy(&value, net.output().data(), sizeof value);
  CHECK(input == 1);
  return value;
}

}  // namespace

TEST_CASE("one method is lowered with its compile spec, which is in its processed bytes (T-MM-1)") { CHECK(single_method()); }

TEST_CASE("two methods are lowered together, each with its own partitioner (T-MM-2)") { CHECK(two_methods()); }

TEST_CASE("two methods with two parts each are preprocessed together (T-MM-3)") {
  CHECK(two_methods_multiple_partitions());
  CHECK(tags_count_from_the_last_part());
}

TEST_CASE("two methods with parts for different operators are preprocessed together (T-MM-4)") {
  CHECK(two_methods_different_partitions());
}

TEST_CASE("two methods with parts for two backends are preprocessed by each backend together (T-MM-5)") {
  CHECK(two_methods_different_backends());
}

TEST_CASE("two delegates that follow one another in a method keep their order and their operands (T-MM-7)") {
  CHECK(sequential_delegates());
}

TEST_CASE("a constant that a part and its owner both use is copied into the part (T-MM-8)") { CHECK(constants()); }

TEST_CASE("a method for a backend that is not in the list is refused before anything is lowered (T-MM-9, E2)") {
  CHECK(std::string(view(message(not_found()))) == std::string(rule<"unknown_backend">::sentence) + std::string(not_found_facts));
  const auto each = partitioners(for_method("sin", tag_all<invalid, "a", '\x02'>{}), for_method("add", tag_all<first, "b", '\x03'>{}));
  CHECK_THROWS_WITH_AS(to_backend(target, methods(method<"sin">(conformance::g_sin()), method<"add">(chain<"add">())), each),
                       doctest::Contains("the backend was not found"), error);
}

TEST_CASE("two methods with equal programs run, and store their processed bytes once (T-MM-10)") {
  const auto value = value_at_one<end_to_end[name<"forward">]>();
  const auto* processed_bytes = compiler_demo::processed_bytes;
  CHECK(std::abs(value - 0.8333f) < 1e-3f);
  CHECK(value_at_one<end_to_end[name<"forward_copy">]>() == value);
  CHECK(compiler_demo::processed_bytes == processed_bytes);
  CHECK(is_golden_sin(end_to_end[name<"forward">]));
}
