// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/pt2.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/decimal_real.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/json_text.hpp>
#include <baton/import/detail/pt2_symbols.hpp>
#include <baton/import/pt2_read_options.hpp>

#include "import/pt2_writer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace {

using baton::program_view;
using tests::argument_of;
using tests::int_argument;
using tests::pt2_graph;
using tests::pt2_program;
using tests::tensor_argument;
using tests::tensors_argument;
using tests::zip_writer;
using file = baton::vector<char>;
using baton::pt2::read_options;

constexpr std::string_view sixteen_bytes{"0123456789abcdef"};

/// True if reading fails with a rule, and the reason contains a text.
template <baton::fixed_string Rule>
constexpr auto fails(const file& bytes, std::string_view reason, const read_options& chosen = {}) -> bool {
  const auto why = baton::pt2::importer::read(bytes, chosen).error;
  return why.is<Rule>() && baton::view(why.reason).find(reason) != std::string_view::npos;
}
/// Returns the program of a file as text, or the error.
constexpr auto printed(const file& bytes, const read_options& chosen = {}) -> baton::text_buffer {
  const auto program = baton::pt2::importer::read(bytes, chosen);
  if (!program) return baton::message(program.error);
  return baton::print(program.value);
}
constexpr auto contains(const baton::text_buffer& text, std::string_view part) -> bool {
  return baton::view(text).find(part) != std::string_view::npos;
}

// y = add(x, weight), with all kinds of arguments
constexpr auto straight_line() -> pt2_program {
  pt2_program net;
  net.data("parameter", "p_unused", "unused", {4}, sixteen_bytes);
  net.data("parameter", "p_w", "layer.weight", {1, 2}, sixteen_bytes, {2, 1}, 2);
  net.user_input("x", {1, 2});
  net.value("y", {1, 2});
  net.node("sum", "torch.ops.my.add.default",
           {tensor_argument("x"), argument_of("as_none", "[]"), tensor_argument("p_w"), int_argument(2), argument_of("as_bool", "true"),
            argument_of("as_float", "0.1"), argument_of("as_string", "\"a\\n\\u00e9\""), argument_of("as_ints", "[2, -2]"),
            argument_of("as_floats", "[1.5, -Infinity]"), tensors_argument({"x", "p_w"}), argument_of("as_scalar_type", "7"),
            argument_of("as_memory_format", "1"), argument_of("as_sym_ints", "[{\"as_int\": 3}]"), argument_of("as_bools", "[true, false]"),
            argument_of("as_device", "{\"type\": \"cpu\", \"index\": null}"), int_argument(7)},
           {tensor_argument("y")}, {"scale"});
  net.user_output("y");
  return net;
}
constexpr auto arguments_are_operands_and_attributes() -> bool {
  const auto bytes = straight_line().file();
  const auto program = baton::pt2::read_bytes(bytes);
  const program_view view(program);
  const auto& node = view.nodes[0];
  const auto list = [&](baton::literal_name name) { return view.integer_list(view.find(node, name)->list); };
  const auto operands = view.inputs(node);
  return view.text(view.root().name) == "model" && view.text(node.target) == "my.add.default" && view.text(node.name) == "sum" &&
         node.debug_handle == 1 && operands.size() == 5 && operands[1] == baton::none<baton::value_id> && operands[3] == operands[0] &&
         operands[4] == operands[2] && view.integer(node, "arg_3") == 2 && view.integer(node, "arg_4") == 1 &&
         view.real(node, "arg_5") == 0.1 && view.text(node, "arg_6") == "a\n\xc3\xa9" && list("arg_7")[1] == -2 &&
         view.real_list(view.find(node, "arg_8")->list)[1] == -std::numeric_limits<double>::infinity() && list("list_sizes")[0] == 2 &&
         view.integer(node, "arg_10") == 6 && view.integer(node, "arg_11", 9) == 0 && list("arg_12")[0] == 3 && list("arg_13")[0] == 1 &&
         view.find(node, "arg_14") == nullptr && view.integer(node, "scale") == 7 &&
         view.text(view[operands[2]].target) == "layer.weight" && view.text(view[operands[2]].name) == "p_w" &&
         view.text(view[operands[2]].data) == "89abcdef" && view.inputs(view.root()).size() == 2;
}
static_assert(arguments_are_operands_and_attributes());

constexpr auto keyword_arguments_have_positions() -> bool {
  pt2_program net;
  net.user_input("x", {2});
  net.value("y", {2});
  net.node("add", "torch.ops.aten.add.Tensor", {tensor_argument("x"), tensor_argument("x"), int_argument(3)}, {tensor_argument("y")},
           {"alpha"});
  net.user_output("y");
  pt2_program in_place;
  in_place.user_input("x", {2});
  in_place.value("r", {2});
  in_place.value("y", {2});
  in_place.node("r", "torch.ops.aten.relu.default", {tensor_argument("x")}, {tensor_argument("r")});
  in_place.node("y", "torch.ops.aten.add_.Tensor", {tensor_argument("r"), tensor_argument("x"), int_argument(3)}, {tensor_argument("y")},
                {"alpha"});
  in_place.user_output("y");
  return contains(printed(net.file()), "arg_2=3") && contains(printed(in_place.file()), "arg_2=3");
}

constexpr auto strided_weights_are_copied() -> bool {
  pt2_program net;
  net.data("parameter", "p_w", "w", {2, 2}, sixteen_bytes, {1, 2});
  net.value("y", {2, 2});
  net.node("relu", "torch.ops.aten.relu.default", {tensor_argument("p_w")}, {tensor_argument("y")});
  net.user_output("y");
  const auto bytes = net.file();
  const auto program = baton::pt2::read_bytes(bytes);
  return program.text(program.values[0].data) == "012389ab4567cdef";
}
static_assert(strided_weights_are_copied());

// A counter: the buffer is written twice in place, and the second value is its mutation.
constexpr auto counter(bool through_view) -> file {
  pt2_program net;
  net.data("buffer", "b_count", "count", {2}, "01234567");
  net.user_input("x", {2});
  for (const auto* name : {"view", "add_", "add__1", "copy_", "y", "late"}) net.value(name, {2});
  if (through_view)
    net.node("view", "torch.ops.aten.view.default", {tensor_argument("b_count"), argument_of("as_ints", "[2]")}, {tensor_argument("view")});
  net.node("add_", "torch.ops.aten.add_.Tensor", {tensor_argument(through_view ? "view" : "b_count"), tensor_argument("x")},
           {tensor_argument("add_")});
  net.node("add__1", "torch.ops.aten.add_.Tensor", {tensor_argument("add_"), tensor_argument("x")}, {tensor_argument("add__1")});
  net.node("relu", "torch.ops.aten.relu.default", {tensor_argument("b_count")}, {tensor_argument("y")});
  net.node("copy_", "torch.ops.aten.copy_.default", {tensor_argument("b_count"), tensor_argument("y")}, {tensor_argument("copy_")});
  net.node("late", "torch.ops.aten.neg.default", {tensor_argument("copy_")}, {tensor_argument("late")});
  net.user_output("late");
  return net.file();
}
constexpr auto writes_in_place_are_renamed() -> bool {
  const auto bytes = counter(false);
  const auto program = baton::pt2::read_bytes(bytes);
  const program_view view(program);
  const auto operand = [&](std::size_t node) { return view.text(view[view.inputs(view.nodes[node])[0]].name); };
  return view.nodes.size() == 5 && view.text(view.nodes[0].target) == "aten.add.Tensor" &&
         view.nodes[0].op == baton::hash_of("aten.add.Tensor") && operand(1) == "add_" && operand(2) == "add__1" &&
         operand(3) == "add__1" && operand(4) == "copy_" && view.outputs.size() == 2 &&
         view.outputs[0].kind == baton::output_kind::buffer_mutation && view.text(view[view.outputs[0].value].name) == "copy_" &&
         view.text(view.outputs[0].target) == "count" &&
         fails<"unsupported_model">(counter(true), "node add_ writes a view of b_count; write the whole tensor");
}
constexpr auto a_view_is_not_read_after_a_write() -> bool {
  pt2_program net;
  net.user_input("x", {2});
  for (const auto* name : {"copy", "view", "add_", "y"}) net.value(name, {2});
  net.node("clone", "torch.ops.aten.clone.default", {tensor_argument("x")}, {tensor_argument("copy")});
  net.node("view", "torch.ops.aten.view.default", {tensor_argument("copy"), argument_of("as_ints", "[2]")}, {tensor_argument("view")});
  net.node("add_", "torch.ops.aten.add_.Tensor", {tensor_argument("copy"), tensor_argument("x")}, {tensor_argument("add_")});
  net.node("relu", "torch.ops.aten.relu.default", {tensor_argument("view")}, {tensor_argument("y")});
  net.user_output("y");
  return fails<"unsupported_model">(net.file(), "node relu reads view, whose memory node add_ has written through another view");
}
constexpr auto detaching_writes_nothing() -> bool {
  pt2_program net;
  net.user_input("x", {2});
  net.value("detach_", {2});
  net.node("detach_", "torch.ops.aten.detach_.default", {tensor_argument("x")}, {tensor_argument("detach_")});
  net.user_output("detach_");
  const auto text = printed(net.file());
  return contains(text, "aten.detach.default](%x)") && contains(text, "return (%detach_,)");
}
constexpr auto inputs_are_not_written() -> bool {
  pt2_program net;
  net.user_input("x", {2});
  net.value("add_", {2});
  net.node("add_", "torch.ops.aten.add_.Tensor", {tensor_argument("x"), tensor_argument("x")}, {tensor_argument("add_")});
  net.user_output("add_");
  pt2_program stated;
  stated.user_input("x", {2});
  stated.output_spec("\"user_input_mutation\": {\"arg\": {\"name\": \"x\"}, \"user_input_name\": \"x\"}", "x");
  return fails<"mutated_user_input">(net.file(), "node add_ writes x, which is an input, in place") &&
         fails<"mutated_user_input">(stated.file(), "output 0 is the new value of input x");
}
constexpr auto mutations_of_the_signature_are_states() -> bool {
  pt2_program net;
  net.data("buffer", "b_count", "count", {2}, "01234567");
  net.user_input("x", {2});
  net.value("add", {2});
  net.node("add", "torch.ops.aten.add.Tensor", {tensor_argument("b_count"), tensor_argument("x")}, {tensor_argument("add")});
  net.user_output("add");
  net.mutation("add", "count");
  const auto bytes = net.file();
  const auto program = baton::pt2::read_bytes(bytes);
  return program.values[1].kind == baton::value_kind::mutable_buffer && program.outputs.size() == 2 &&
         program.outputs[0].kind == baton::output_kind::buffer_mutation;
}

// Control flow

constexpr auto body(std::initializer_list<const char*> inputs, const char* op, tests::pt2_sizes sizes, int type = 7) -> pt2_graph {
  pt2_graph graph;
  for (const auto* name : inputs) {
    graph.input(name);
    graph.value(name, sizes);
  }
  graph.value("out", sizes, type);
  graph.node("inner", op, {tensor_argument(inputs.begin()[0]), tensor_argument(inputs.end()[-1])}, {tensor_argument("out")});
  graph.output("out");
  return graph;
}
constexpr auto branches_are_cond() -> bool {
  pt2_program net;
  net.user_input("p", {}, 12);
  net.user_input("x", {2});
  net.value("y", {2});
  const auto yes = body({"x"}, "torch.ops.aten.add.Tensor", {2}), no = body({"x"}, "torch.ops.aten.mul.Tensor", {2});
  net.node("cond", "torch.ops.higher_order.cond", {tensor_argument("p"), yes.argument("yes"), no.argument("no"), tensors_argument({"x"})},
           {tensor_argument("y")});
  net.user_output("y");
  const auto text = printed(net.file());
  return contains(text, "target=cond]") && contains(text, "aten.add.Tensor") && contains(text, "aten.mul.Tensor");
}

constexpr auto loops_are_while_map_and_scan() -> bool {
  pt2_program net;
  net.user_input("x", {3, 2});
  net.user_input("c", {2});
  for (const auto* name : {"w", "last"}) net.value(name, {2});
  for (const auto* name : {"m", "rows"}) net.value(name, {3, 2});
  pt2_graph test;
  test.input("a");
  test.value("a", {2});
  test.value("go", {}, 12);
  test.node("any", "torch.ops.aten.any.default", {tensor_argument("a")}, {tensor_argument("go")});
  test.output("go");
  net.node("loop", "torch.ops.higher_order.while_loop",
           {test.argument("test"), body({"a"}, "torch.ops.aten.neg.default", {2}).argument("body"), tensors_argument({"c"}),
            tensors_argument({})},
           {tensor_argument("w")});
  net.node("map", "torch.ops.higher_order.map_impl",
           {body({"a", "b"}, "torch.ops.aten.add.Tensor", {2}).argument("each"), tensors_argument({"x"}), tensors_argument({"w"})},
           {tensor_argument("m")});
  auto step = body({"a", "b"}, "torch.ops.aten.mul.Tensor", {2});
  step.output("out");
  net.node("scan", "torch.ops.higher_order.scan",
           {step.argument("step"), tensors_argument({"c"}), tensors_argument({"m"}), tensors_argument({})},
           {tensor_argument("last"), tensor_argument("rows")});
  net.user_output("rows");
  const auto bytes = net.file();
  const auto program = baton::pt2::read_bytes(bytes);
  const program_view view(program);
  const auto root = view.nodes_of(view.root());
  return root.size() == 3 && root[0].is("while_loop") && root[1].is("map") && view.integer(root[1], "mapped") == 1 && root[2].is("scan") &&
         view.integer(root[2], "carried") == 1 && view.integer(root[2], "scanned") == 1 && root[2].debug_handle == 3 &&
         view.nodes.size() == 7 && view.graphs.size() == 5;
}
constexpr auto wrappers_are_replaced_by_their_graph() -> bool {
  pt2_program net;
  net.user_input("x", {2});
  net.value("y", {2});
  net.node("wrap", "torch.ops.higher_order.wrap_with_set_grad_enabled",
           {argument_of("as_bool", "false"), body({"a"}, "torch.ops.aten.add.Tensor", {2}).argument("inner"), tensor_argument("x")},
           {tensor_argument("y")});
  net.user_output("y");
  const auto bytes = net.file();
  const auto program = baton::pt2::read_bytes(bytes);
  return program.graphs.size() == 1 && program.nodes.size() == 1 && program.text(program.values[1].name) == "out";
}

// Symbols

constexpr auto dynamic() -> file {
  pt2_program net;
  net.user_input("x", {4, "Symbol('s77', positive=True, integer=True)"});
  net.value("y", {"Mul(Integer(2), Symbol('s77', positive=True))", "2*s77 + 1"});
  net.symbol("size", "s77");
  net.node("sym_size", "torch.ops.aten.sym_size.int", {tensor_argument("x"), int_argument(1)},
           {argument_of("as_sym_int", "{\"as_name\": \"size\"}")});
  net.node("pad", "torch.ops.my.pad.default",
           {tensor_argument("x"), argument_of("as_sym_int", "{\"as_name\": \"size\"}"),
            argument_of("as_sym_ints", "[{\"as_int\": 4}, {\"as_name\": \"size\"}]")},
           {tensor_argument("y")});
  net.user_output("y");
  net.range("s77", 2, 32);
  return net.file();
}
constexpr auto symbols_have_values_of_options() -> bool {
  const auto bytes = dynamic();
  const std::int64_t sizes[] = {4, 5}, wrong[] = {3, 5};
  const read_options::bound_shape shape[] = {{"x", sizes}}, other[] = {{"x", wrong}}, unknown[] = {{"z", sizes}};
  const read_options::bound_dimension five[] = {{"s77", 5}}, large[] = {{"s77", 33}}, missing[] = {{"s1", 5}};
  const auto program = baton::pt2::read_bytes(bytes, {.dimensions = five});
  const program_view view(program);
  const auto shape_of_y = view.shape(view.outputs[0].value);
  return view.nodes.size() == 1 && view.integer(view.nodes[0], "arg_1") == 5 &&
         view.integer_list(view.find(view.nodes[0], "arg_2")->list)[1] == 5 && shape_of_y[0] == 10 && shape_of_y[1] == 11 &&
         contains(printed(bytes, {.shapes = shape}), "arg_1=5") &&
         fails<"unknown_size">(bytes,
                               "a size of x depends on the symbol s77, whose range is 2 to 32; write: baton::pt2::dimension<\"s77\", 1>") &&
         fails<"mismatched_shape">(bytes, "the range of symbol s77 is 2 to 32; its size cannot be 33", {.dimensions = large}) &&
         fails<"mismatched_shape">(bytes, "input x has another shape in the file", {.shapes = other}) &&
         fails<"unknown_name">(bytes, "there is no symbol s1", {.dimensions = missing}) &&
         fails<"unknown_name">(bytes, "there is no input z", {.shapes = unknown});
}
constexpr auto expressions_are_evaluated() -> bool {
  baton::pt2::detail::symbol_table symbols;
  symbols["s0"].value = 7;
  const auto is = [&](std::string_view text, std::int64_t number) {
    const auto size = baton::pt2::detail::size_expression(text, symbols).run();
    return size.is_known && size.number == number;
  };
  const auto is_unknown = [&](std::string_view text, std::string_view unknown) {
    const auto size = baton::pt2::detail::size_expression(text, symbols).run();
    return !size.is_known && size.unknown == unknown;
  };
  return is("-3 + 2*(s0 - 1)", 9) && is("s0//2", 3) && is("-s0//2", -4) && is("s0 % 4", 3) && is("14/s0", 2) &&
         is("Max(Add(Integer(3), Symbol('s0', positive=True)), FloorDiv(Integer(9), Integer(2)), Mod(s0, 4))", 10) && is("Min(3, s0)", 3) &&
         is_unknown("s1 + 1", "s1") && is_unknown("Pow(s0, 2)", "Pow") && is_unknown("s0**2", "**") && is_unknown("s0/2", "s0/2") &&
         is_unknown("1//0", "1//0") && is_unknown("(1", "(1") && is_unknown("1)", ")") && is_unknown("", "") &&
         is_unknown("9223372036854775807 + 1", "9223372036854775807 + 1");
}
static_assert(expressions_are_evaluated());

// Archives

constexpr auto packages_have_several_programs() -> bool {
  auto first = straight_line();
  first.name = "encode";
  pt2_program other;
  other.name = "forward";
  other.user_input("x", {1});
  other.user_output("x");
  zip_writer package;
  first.add_to(package);
  const auto json = other.program_json();
  package.add("net/models/forward.json", baton::view(json));
  const auto bytes = package.file();
  const auto names = baton::pt2::importer::entry_points(bytes);
  return names.size() == 2 && names[0].name == "encode" && !names[0].is_default && names[1].name == "forward" && names[1].is_default &&
         contains(printed(bytes, {.entry = "encode"}), "my.add.default") && !contains(printed(bytes), "my.add.default") &&
         fails<"unknown_name">(bytes, "there is no program decode; there are: encode forward", {.entry = "decode"});
}
constexpr auto archive_of(const tests::zip_entry& entry) -> file {
  zip_writer archive;
  archive.add("net/archive_format", "pt2");
  archive.add(entry);
  return archive.file();
}
constexpr auto straight_line_of(std::int64_t records) -> file {
  zip_writer archive;
  straight_line().add_to(archive);
  archive.add("net/archive_format", "pt2");
  return archive.file(records);
}
constexpr auto damaged_archives_are_refused() -> bool {
  const auto whole = straight_line().file();
  const auto cut = file(whole.begin(), whole.end() - 30);
  zip_writer twice, roots, old;
  for (int i = 0; i < 2; ++i) twice.add("net/archive_format", "pt2");
  roots.add("net/archive_format", "pt2");
  roots.add("other/archive_format", "pt2");
  old.add("serialized_exported_program.json", "{}");
  return fails<"damaged_model">(cut, "the zip archive has no end of its central directory") &&
         fails<"unsupported_model">(archive_of({.name = "net/a", .bytes = "b", .method = 8}), "record net/a is compressed (method 8)") &&
         fails<"unsupported_model">(archive_of({.name = "net/a", .flags = 1}), "record net/a is encrypted") &&
         fails<"unsupported_model">(archive_of({.name = "net/a", .size = 0xffffffff}), "record net/a is in the zip64 form") &&
         fails<"unsupported_model">(straight_line_of(0xffff), "the zip archive is in the zip64 form") &&
         fails<"damaged_model">(straight_line_of(40), "entry 6 of the central directory") &&
         fails<"damaged_model">(archive_of({.name = "net/a", .bytes = "b", .packed = 2}),
                                "record net/a has 2 stored bytes and a size of 1") &&
         fails<"damaged_model">(archive_of({.name = "net/a", .local = 7}), "record net/a has no local header at byte 7") &&
         fails<"damaged_model">(archive_of({.name = "net/a", .size = 900, .packed = 900}),
                                "and has 900 bytes, but the records end at byte") &&
         fails<"damaged_model">(archive_of({.name = "net/../a"}), "record net/../a has a name that is absolute or leaves the archive") &&
         fails<"damaged_model">(archive_of({.name = "/net/a"}), "record /net/a has a name that is absolute") &&
         fails<"damaged_model">(archive_of({.name = "C:a"}), "record C:a has a name that is absolute") &&
         fails<"damaged_model">(twice.file(), "two records have the name net/archive_format") &&
         fails<"unsupported_model">(roots.file(), "several root folders: net/archive_format and other/archive_format") &&
         fails<"unsupported_model">(old.file(), "the layout of torch before 2.8; save it again with a newer torch") &&
         fails<"damaged_model">(archive_of({.name = "net/a"}), "the archive has no record models/<name>.json");
}

constexpr auto other_files_are_not_recognized() -> bool {
  zip_writer archive;
  archive.add("word/document.xml", "");
  const auto bytes = archive.file();
  return !baton::pt2::importer::recognizes(bytes) && fails<"foreign_file">(bytes, "archives of torch.export are zip files") &&
         !baton::pt2::importer::recognizes({}) && baton::pt2::importer::recognizes(straight_line().file());
}

// JSON

constexpr auto with_json(std::string_view json) -> file { return straight_line().file(json); }
constexpr auto damaged_json_is_refused() -> bool {
  tests::text deep;
  for (int i = 0; i < 103; ++i) baton::append(deep, "{\"a\":");
  return fails<"damaged_model">(with_json("{\"a\": \"b"), "record net/models/model.json ends in the middle of a value, at its byte 8") &&
         fails<"damaged_model">(with_json("{\"a\" 1}"), "record net/models/model.json has an unexpected value at its byte 5") &&
         fails<"damaged_model">(with_json("{\"a\": 1} x"), "has an unexpected value at its byte 9") &&
         fails<"damaged_model">(with_json("{\"schema_version\": {\"major\": x}}"), "has an invalid number at its byte 29") &&
         fails<"damaged_model">(with_json("{\"a\": \"\xff\"}"), "record net/models/model.json is not UTF-8 at its byte 7") &&
         fails<"damaged_model">(with_json(baton::view(deep)), "is nested deeper than 100 levels") &&
         fails<"unsupported_model">(with_json("{\"schema_version\": {\"major\": 9}}"),
                                    "has version 9 of the schema; the importer reads version 8") &&
         fails<"damaged_model">(with_json("{}"), "the program has no graph or no signature");
}
constexpr auto numbers_are_exact() -> bool {
  using baton::detail::decimal_real;
  const auto is = [](std::string_view text, double number) { return decimal_real(text).is_valid && decimal_real(text).number == number; };
  const auto is_invalid = [](std::string_view text) { return !decimal_real(text).is_valid; };
  return is("0.014490911737084389", 0.014490911737084389) && is("1e-05", 1e-05) && is("-12.5E+3", -12500) && is("4.9e-324", 4.9e-324) &&
         is("2.4703282292062327e-324", 0) && is("1.7976931348623157e308", 1.7976931348623157e308) &&
         is("9007199254740993", 9007199254740992) && is("1e400", std::numeric_limits<double>::infinity()) && is_invalid("") &&
         is_invalid("-") && is_invalid("1e") && is_invalid("1x");
}
static_assert(numbers_are_exact());
constexpr auto texts_are_utf8() -> bool {
  using reader = baton::detail::json_reader;
  const auto is_text = [](std::string_view text) { return reader::first_not_utf8(text) == text.size(); };
  return is_text("0123456789abcdef\xc3\xa9") && is_text("\xf0\x9f\x98\x80") && !is_text("\xc0\x80") && !is_text("\xed\xa0\x80") &&
         !is_text("\xf4\x90\x80\x80") && !is_text("0123456789abcdef0\xc3") && !is_text("\x80") &&
         baton::view(baton::detail::json_text("\\\"\\t\\u20ac\\ud83d\\ude00\\ud83d\\")) == "\"\t\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd\\";
}
static_assert(texts_are_utf8());

// Programs

/// The straight line with one text replaced.
constexpr auto with(std::string_view from, std::string_view to) -> file {
  const auto json = straight_line().program_json();
  const auto at = baton::view(json).find(from);
  return with_json(baton::view(baton::join(baton::view(json).substr(0, at), to, baton::view(json).substr(at + from.size()))));
}
constexpr auto damaged_programs_are_refused() -> bool {
  const auto is_refused = [](const char* from, const char* to, std::string_view reason) {
    return fails<"damaged_model">(with(from, to), reason);
  };
  return is_refused("\"signature\"", "\"graph\": {\"nodes\": [], \"tensor_values\": {}}, \"signature\"",
                    "graph 0 is in the program twice") &&
         is_refused("{\"name\": \"scale\", ", "{", "has an unexpected value") &&
         contains(printed(with("\"as_memory_format\": 1", "\"as_layout\": 9223372036854775807")), "arg_11=255") &&
         contains(printed(with("\"as_memory_format\": 1", "\"as_layout\": 0")), "arg_11=255") &&
         contains(printed(with("\"as_memory_format\": 1", "\"as_layout\": 1")), "arg_11=1") &&
         contains(printed(with("\"as_memory_format\": 1", "\"as_layout\": 3")), "arg_11=4") &&
         contains(printed(with("\"as_memory_format\": 1", "\"as_layout\": 6")), "arg_11=3") &&
         is_refused("{\"as_tensor\": {\"name\": \"x\"}}, \"kind\"", "{\"as_tensor\": {\"name\": \"z\"}}, \"kind\"",
                    "node sum reads value z, which no earlier node defines") &&
         is_refused("\"outputs\": [{\"as_tensor\": {\"name\": \"y\"}}], \"metadata\"",
                    "\"outputs\": [{\"as_tensor\": {\"name\": \"x\"}}], \"metadata\"",
                    "node sum defines value x, which is already defined") &&
         is_refused("\"y\": {\"dtype\"", "\"q\": {\"dtype\"", "node sum defines value y, which tensor_values does not have") &&
         is_refused("\"y\": {\"dtype\"", "\"x\": {\"dtype\"", "value x is twice in the values of a graph") &&
         is_refused("\"layer.weight\"", "\"layer.w\"", "tensor layer.w is neither in the table of weights nor in the table of constants") &&
         is_refused("\"p_w\": {\"dtype\": 7", "\"p_w\": {\"dtype\": 6", "tensor layer.weight has another dtype or shape in its table") &&
         is_refused("\"y\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 1}", "\"y\": {\"dtype\": 7, \"sizes\": [{\"as_int\": -1}",
                    "value y has the size -1") &&
         fails<"unsupported_model">(with("\"p_w\": {\"dtype\": 7", "\"p_w\": {\"dtype\": 29"),
                                    "value p_w has a dtype that is not supported, number 29 of the schema") &&
         fails<"unsupported_model">(with("\"as_ints\"", "\"as_complexes\""),
                                    "node sum has an argument as_complexes, which is not supported") &&
         fails<"unsupported_model">(with("torch.ops.my.add.default", "torch.ops.higher_order.flex_attention"),
                                    "node sum has the operator higher_order.flex_attention, which is not supported with these arguments") &&
         fails<"unsupported_model">(with("\"parameter\": {\"arg\"", "\"custom_obj\": {\"arg\""),
                                    "the signature has an input of the kind custom_obj") &&
         fails<"unsupported_model">(with("\"user_output\"", "\"loss_output\""), "output 0 of the signature has the kind loss_output");
}
/// Only `as_sym_float` may be a real number, and the elements of a list are integers or symbols.
constexpr auto reals_that_are_not_symbols_are_refused() -> bool {
  const auto is_refused = [](std::string_view from, std::string_view to) {
    return fails<"damaged_model">(with(from, to), "record net/models/model.json has an unexpected value");
  };
  constexpr std::string_view list = "[{\"as_int\": 3}]", real = "\"as_float\": 0.1";
  return is_refused(list, "[{\"as_float\": 3.0}]") && is_refused(list, "[{\"as_int\": 3}, {\"as_float\": 3.0}]") &&
         is_refused(list, "[{\"as_expr\": 3}]") && is_refused(real, "\"as_sym_int\": {\"as_float\": 0.5}") &&
         is_refused(real, "\"as_sym_bool\": {\"as_float\": 0.5}") &&
         contains(printed(with(real, "\"as_sym_float\": {\"as_float\": 0.5}")), "arg_5=0.5") &&
         contains(printed(with(list, "[{\"as_bool\": true}]")), "arg_12=[1]");
}
static_assert(reals_that_are_not_symbols_are_refused());
/// A text of `length` bytes and as many nested lists of one number, in members that the importer skips.
constexpr auto long_json(std::size_t length) -> file {
  tests::text members;
  baton::append(members, "\"comment\": \"");
  for (std::size_t i = 0; i < length; ++i) members.push_back('x');
  baton::append(members, "\", \"numbers\": [");
  for (std::size_t i = 0; i < length; ++i) baton::append(members, i == 0 ? "[1]" : ", [1]");
  baton::append(members, "], \"signature\"");
  return with("\"signature\"", baton::view(members));
}
constexpr auto long_json_is_read(std::size_t length) -> bool {
  const auto bytes = long_json(length);
  const auto program = baton::pt2::try_read_bytes(bytes);
  return program && baton::print(program.value) == baton::print(baton::pt2::read_bytes(straight_line().file()));
}

constexpr auto weight(std::string_view bytes, tests::pt2_sizes strides, int offset) -> file {
  pt2_program net;
  net.data("parameter", "p_w", "w", {2, 2}, bytes, strides, offset);
  net.user_output("p_w");
  return net.file();
}
constexpr auto strides_of_single_elements_do_not_matter() -> bool {
  pt2_program net;
  net.data("parameter", "p_w", "w", {1, 2, 2}, sixteen_bytes, {9223372036854775807ll, 1, 2});
  net.user_output("p_w");
  const auto bytes = net.file();
  const auto program = baton::pt2::read_bytes(bytes);
  return program.text(program.values[0].data) == "012389ab4567cdef";
}
constexpr auto weights_are_inside_their_records() -> bool {
  return !baton::pt2::importer::read(weight(sixteen_bytes, {}, 0)).error &&
         fails<"damaged_model">(
             weight("0123456789ab", {}, 0),
             "tensor w of 16 bytes, from element 0, is not inside record net/data/weights/weight_0 of the archive, which has 12 bytes") &&
         fails<"damaged_model">(weight(sixteen_bytes, {2, 1}, 1), "from element 1, is not inside") &&
         fails<"damaged_model">(weight(sixteen_bytes, {2, 1}, -1), "from element -1, is not inside") &&
         fails<"damaged_model">(weight(sixteen_bytes, {3, 1}, 0), "is not inside") &&
         fails<"damaged_model">(weight(sixteen_bytes, {-1, 1}, 1), "is not inside") &&
         fails<"damaged_model">(weight({}, {}, 0), "which has 0 bytes");
}

}  // namespace

TEST_CASE("pt2: nodes have the operands and attributes of the file") {
  CHECK(arguments_are_operands_and_attributes());
  CHECK(keyword_arguments_have_positions());
}

TEST_CASE("pt2: weights are views, or copies if they have strides") {
  CHECK(strided_weights_are_copied());
  CHECK(weights_are_inside_their_records());
  CHECK(strides_of_single_elements_do_not_matter());
}

TEST_CASE("pt2: operators in place are renamed") {
  CHECK(writes_in_place_are_renamed());
  CHECK(a_view_is_not_read_after_a_write());
  CHECK(inputs_are_not_written());
  CHECK(detaching_writes_nothing());
  CHECK(mutations_of_the_signature_are_states());
}

TEST_CASE("pt2: higher-order operators are control flow") {
  CHECK(branches_are_cond());
  CHECK(loops_are_while_map_and_scan());
  CHECK(wrappers_are_replaced_by_their_graph());
}

TEST_CASE("pt2: symbols have the values of the options") {
  CHECK(symbols_have_values_of_options());
  CHECK(expressions_are_evaluated());
}

TEST_CASE("pt2: packages have several programs") { CHECK(packages_have_several_programs()); }

TEST_CASE("pt2: damaged archives are refused") {
  CHECK(damaged_archives_are_refused());
  CHECK(other_files_are_not_recognized());
}

TEST_CASE("pt2: damaged JSON is refused, and numbers and texts are exact") {
  CHECK(damaged_json_is_refused());
  CHECK(long_json_is_read(300'000));
  CHECK(numbers_are_exact());
  CHECK(texts_are_utf8());
}

TEST_CASE("pt2: damaged programs are refused") {
  CHECK(damaged_programs_are_refused());
  CHECK(reals_that_are_not_symbols_are_refused());
}
