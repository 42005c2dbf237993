// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/pte.hpp>

#include <baton/core/compare.hpp>
#include <baton/core/name.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/detail/memory_contents.hpp>
#include <baton/import/detail/renaming.hpp>
#include <baton/import/importers.hpp>
#include <baton/import/pte_bundle.hpp>
#include <baton/import/pte_read_options.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/operator_definition.hpp>

#include "import/pte_writer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using baton::program_view;
using baton::span;
using tests::pte_tensor;
using tests::pte_writer;
using file = baton::vector<char>;

constexpr std::string_view sixteen_bytes{"0123456789abcdef"};

/// The error of reading a file, or an empty failure.
constexpr auto error_of(const file& bytes, std::string_view entry = {}) -> baton::failure {
  return baton::pte::importer::read(bytes, entry).error;
}
/// True if reading fails with a rule, and the reason contains a text.
template <baton::fixed_string Rule>
constexpr auto fails(const file& bytes, std::string_view reason) -> bool {
  const auto why = error_of(bytes);
  return why.is<Rule>() && baton::view(why.reason).find(reason) != std::string_view::npos;
}
/// Returns the program of a file as text, or the error.
constexpr auto printed(const file& bytes, std::string_view entry = {}) -> baton::text_buffer {
  const auto program = baton::pte::importer::read(bytes, entry);
  if (!program) return baton::message(program.error);
  return baton::print(program.value);
}
constexpr auto contains(const baton::text_buffer& text, std::string_view part) -> bool {
  return baton::view(text).find(part) != std::string_view::npos;
}

// y = add(x, constant, alpha = 2), with all kinds of arguments
constexpr auto straight_line() -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {1, 2}, .offset = 0});
  const auto weight = write.tensor({.sizes = {1, 2}, .buffer = 1, .name = "layer.weight"});
  const auto two = write.integer(2), yes = write.boolean(true), half = write.real(0.5), none = write.null(), mode = write.words("fast");
  const auto list = write.integers({two, two}), reals = write.reals({1.5}), tensors = write.tensors({x, weight});
  const auto scratch = write.tensor({.sizes = {8}, .offset = 64, .type = 0});
  const auto y = write.tensor({.sizes = {1, 2}, .offset = 16});
  write.call("my::add", "out", {x, none, weight, two, yes, half, mode, list, reals, tensors, scratch, y, y});
  write.method({x}, {y});
  return write.file(sixteen_bytes);
}
// The reason lists all unknown operators, with the number of their nodes.
constexpr auto unknown_operators_are_counted() -> bool {
  pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0}), y = write.tensor({.sizes = {2}, .offset = 16});
  write.call("my::add", "out", {x, y, y});
  write.call_again({y, x, x});
  write.call("aten::relu", "out", {x, y, y});
  write.call("my::fold", "", {y, x, x});
  write.method({x}, {y});
  const auto bytes = write.file(sixteen_bytes);
  return fails<"unsupported_operators">(bytes, "my.add.out (2), my.fold (1)");
}
constexpr baton::operator_definition my_operators[] = {{.name = "my.add.out"}};
constexpr auto arguments_are_operands_and_attributes() -> bool {
  const auto bytes = straight_line();
  const auto program = baton::pte::read_bytes(bytes, {.operators = my_operators});
  if (!fails<"unsupported_operators">(bytes, "my.add.out (1)")) return false;
  const program_view view(program);
  const auto& node = view.nodes[0];
  const auto list = view.integer_list(view.find(node, "arg_7")->list);
  const auto operands = view.inputs(node);
  return view.text(node.target) == "my.add.out" && node.debug_handle == 1 && operands.size() == 5 &&
         operands[1] == baton::none<baton::value_id> && operands[3] == operands[0] && operands[4] == operands[2] &&
         view.integer(node, "arg_3") == 2 && view.integer(node, "arg_4") == 1 && view.real(node, "arg_5") == 0.5 &&
         view.text(node, "arg_6") == "fast" && list.size() == 2 && list[1] == 2 &&
         view.real_list(view.find(node, "arg_8")->list)[0] == 1.5 && view.find(node, "arg_9") == nullptr &&
         view.integer_list(view.find(node, "list_sizes")->list)[0] == 2 && view.find(node, "arg_10") == nullptr &&
         view.text(view[operands[2]].target) == "layer.weight" && view.data(view[operands[2]].data).size() == 8 &&
         view.data(view[operands[2]].data)[0] == '8';
}

constexpr auto orders_are_stored_shapes() -> bool {
  pte_writer write;
  const auto x = write.tensor({.sizes = {1, 3, 4, 5}, .offset = 0, .order = {0, 2, 3, 1}});
  const auto y = write.tensor({.sizes = {1, 3, 4, 5}, .offset = 256});
  write.call("dim_order_ops::_clone_dim_order", "out", {x, y, y});
  write.method({x}, {y});
  const auto text = printed(write.file());
  return contains(text, "%input_0 = placeholder[target=input_0]  # float32[1, 4, 5, 3]") &&
         contains(text,
                  "%value_1_0 = call_function[target=dim_order_ops._clone_dim_order.out](%input_0, "
                  "dim_orders=[0, 2, 3, 1, 0, 1, 2, 3])  # float32[1, 3, 4, 5]");
}

// a = relu(x); b = relu(a), at the place of `a` if `is_overwritten`; y = relu(view), at the place of `a`
constexpr auto with_omitted_view(bool is_overwritten, int type = 6) -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {2, 2}, .offset = 0});
  const auto a = write.tensor({.sizes = {2, 2}, .offset = 16});
  const auto b = write.tensor({.sizes = {1}, .offset = is_overwritten ? 28 : 32});
  const auto view = write.tensor({.sizes = {4}, .offset = 16, .type = type});
  const auto y = write.tensor({.sizes = {4}, .offset = 64});
  write.call("aten::relu", "out", {x, a, a});
  write.call("aten::neg", "out", {a, b, b});
  write.call("aten::relu", "out", {view, y, y});
  write.method({x}, {y, b});
  return write.file();
}
constexpr auto omitted_views_are_found_in_memory() -> bool {
  const auto text = printed(with_omitted_view(false));
  return contains(text, "%view_3 = call_function[target=aten.view_copy.out](%value_1_0, arg_1=[4])  # float32[4]") &&
         contains(text, "%value_4_2 = call_function[target=aten.relu.out](%view_3)") &&
         fails<"damaged_model">(with_omitted_view(true), "value 3 is read, but no instruction has written it") &&
         fails<"damaged_model">(with_omitted_view(false, 3), "value 3 is read, but no instruction has written it");
}

// total.add_(x); y = relu(total); count = count + 1, by copy_
constexpr auto with_states(bool writes_input) -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0});
  const auto total = write.tensor({.sizes = {2}, .offset = 16, .name = "total"});
  const auto count = write.tensor({.sizes = {2}, .offset = 32, .buffer = 1});
  const auto unnamed = write.tensor({.sizes = {2}, .offset = 128});
  const auto sum = write.tensor({.sizes = {2}, .offset = 48});
  const auto y = write.tensor({.sizes = {2}, .offset = 64});
  const auto no = write.boolean(false), one = write.integer(1);
  write.call("aten::add_", "Tensor", {total, x, one, total});
  write.call("aten::relu", "out", {total, y, y});
  write.call("aten::add", "out", {count, unnamed, one, sum, sum});
  write.call("aten::copy_", "", {count, sum, no, count});
  write.call("aten::copy_", "", {unnamed, sum, no, unnamed});
  if (writes_input) write.call("aten::copy_", "", {x, sum, no, x});
  write.method({x}, {y});
  return write.file(sixteen_bytes);
}
constexpr auto in_place_operators_are_renamed() -> bool {
  const auto bytes = with_states(false);
  const auto program = baton::pte::read_bytes(bytes);
  const auto text = baton::print(program);
  const program_view view(program);
  bool has_initial = false;
  for (const auto& each : view.values)
    has_initial = has_initial || (view.text(each.target) == "state_2" && view.data(each.data)[0] == '8' && each.data.size == 8);
  return has_initial && contains(text, "%value_1_0 = call_function[target=aten.add.Tensor](%total, %input_0, arg_2=1)") &&
         contains(text, "target=aten.relu.out](%value_1_0)") && contains(text, "target=aten.add.out](%state_2, %state_3, arg_2=1)") &&
         contains(text, "%value_1_0 mutates total, %value_4_2 mutates state_2, %value_4_2 mutates state_3") && view.nodes.size() == 3 &&
         fails<"mutated_user_input">(with_states(true), "value 0, which is an input");
}

// if (x > 0) y = relu(x) + constant, else y = x, with a nested cond in the first branch
constexpr auto with_branches(std::int32_t jump_to = 6, bool moves_twice = true) -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {1}, .offset = 0});
  const auto zero = write.integer(0), no = write.boolean(false);
  const auto is_greater = write.tensor({.sizes = {}, .offset = 16, .type = 11});
  const auto a = write.tensor({.sizes = {1}, .offset = 32}), y = write.tensor({.sizes = {1}, .offset = 48});
  const auto inner = write.tensor({.sizes = {1}, .offset = 80}), z = write.tensor({.sizes = {1}, .offset = 96});
  write.call("aten::gt", "Scalar_out", {x, zero, is_greater, is_greater});  // 0
  write.jump_false(is_greater, 10);                                         // 1
  write.call("aten::relu", "out", {x, a, a});                               // 2
  write.jump_false(is_greater, jump_to);                                    // 3
  write.move(a, inner);                                                     // 4
  write.jump_false(no, 7);                                                  // 5
  write.move(x, inner);                                                     // 6
  write.call("aten::neg", "out", {inner, a, a});                            // 7
  write.move(a, y);                                                         // 8
  write.jump_false(no, 11);                                                 // 9
  if (moves_twice) write.move(x, y);                                        // 10
  if (!moves_twice) write.call("aten::neg", "out", {x, a, a});
  write.call("aten::relu", "out", {y, z, z});  // 11
  write.method({x}, {z});
  return write.file();
}
constexpr auto jumps_become_branches() -> bool {
  const auto text = printed(with_branches());
  return contains(text,
                  "%value_5_1 = call_function[target=cond](%value_3_0, %input_0, %value_3_0, "
                  "subgraphs=[forward_node_1_then, forward_node_1_else])") &&
         contains(text, "%value_6_3 = call_function[target=cond](%value_3_0, %value_4_2, %input_0, subgraphs=") &&
         contains(text, "%value_4_7 = call_function[target=aten.neg.out](%value_6_3)") &&
         contains(text, "%value_7_11 = call_function[target=aten.relu.out](%value_5_1)");
}
constexpr auto other_jumps_are_refused() -> bool {
  return fails<"damaged_model">(with_branches(99),
                                "instruction 3 jumps to an instruction that does not exist; the number of instructions is 12") &&
         fails<"damaged_model">(with_branches(-1), "instruction 3 jumps to an instruction that does not exist") &&
         fails<"unsupported_model">(with_branches(3), "instruction 3 jumps to instruction 3") &&
         fails<"unsupported_model">(with_branches(2), "instruction 3 jumps to instruction 2") &&
         fails<"unsupported_model">(with_branches(5), "instruction 3 jumps to instruction 5") &&
         fails<"unsupported_model">(with_branches(6, false), "only one branch of instruction 1 writes value 5");
}

// sum = x; for each row of stack: sum += row, rows.append(sum)
constexpr auto with_loop(std::int64_t first = 0, std::int32_t height = 3) -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0});
  const auto stack = write.tensor({.sizes = {3, 2}, .offset = 16});
  const auto sum = write.tensor({.sizes = {2}, .offset = 48}), row = write.tensor({.sizes = {2}, .offset = 64});
  const auto next = write.tensor({.sizes = {2}, .offset = 80});
  const auto rows = write.tensor({.sizes = {height, 2}, .offset = 96, .dynamism = 1});
  const auto zero = write.integer(0), one = write.integer(1), i = write.integer(first), count = write.integer(0);
  const auto no = write.boolean(false), is_done = write.boolean(false);
  write.call("aten::sym_size", "int", {stack, zero, count});
  write.call("aten::copy_", "", {sum, x, no, sum});
  write.call("aten::select_copy", "int_out", {stack, zero, i, row, row});
  write.call("aten::add", "out", {sum, row, one, next, next});
  write.call("aten::copy_", "", {sum, next, no, sum});
  write.call("executorch_prim::et_copy_index", "tensor", {rows, next, i});
  write.call("executorch_prim::add", "Scalar", {i, one, i});
  write.call("executorch_prim::eq", "Scalar", {i, count, is_done});
  write.jump_false(is_done, 2);
  write.call("executorch_prim::sub", "Scalar", {i, count, i});
  write.method({x, stack}, {sum, rows});
  return write.file();
}
constexpr auto jumps_back_become_loops() -> bool {
  const auto text = printed(with_loop());
  return contains(text,
                  "%value_2_8, %value_5_8 = call_function[target=scan](%input_0, %input_1, carried=1, scanned=1, "
                  "subgraphs=[forward_node_8_body])  # float32[2], float32[3, 2]") &&
         contains(text, "%value_4_3 = call_function[target=aten.add.out](%input_0, %value_3_2, arg_2=1)") &&
         contains(text, "return (%value_4_3, %value_4_3)") &&
         fails<"unsupported_model">(with_loop(1), "instruction 8 ends a loop that does not count from 0 by 1") &&
         error_of(with_loop(0, 4)).is<"malformed_operator">();
}

// y = relu(x), and the size of dimension 0 of a number
constexpr auto with_size_of_a_number() -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0}), y = write.tensor({.sizes = {2}, .offset = 16});
  const auto zero = write.integer(0), number = write.integer(3), size = write.integer(0);
  write.call("aten::sym_size", "int", {number, zero, size});
  write.call("aten::relu", "out", {x, y, y});
  write.method({x}, {y});
  return write.file();
}
constexpr auto numbers_have_no_size() -> bool {
  return fails<"unsupported_model">(with_size_of_a_number(),
                                    "instruction 0 calls aten.sym_size.int, which computes a number that is not known");
}

// y, z = delegate(x)
constexpr auto with_delegate(int location, std::int32_t index, std::int32_t delegate = 0) -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0});
  const auto y = write.tensor({.sizes = {2}, .offset = 16}), z = write.tensor({.sizes = {1}, .offset = 32});
  write.delegate("MyNpu", location, index);
  write.delegate_call(delegate, {x, y, z});
  write.method({x}, {y, z});
  return write.file(sixteen_bytes);
}
constexpr auto delegates_become_lowered_modules() -> bool {
  const auto bytes = with_delegate(1, 0);
  const auto program = baton::pte::read_bytes(bytes);
  const program_view view(program);
  const auto& module = view.delegates[0];
  const auto& node = view.nodes_of(view.root())[0];
  const auto& spec = view.compile_specs[module.compile_specs.first];
  const auto& part = view.nodes_of(view[module.original])[0];
  const auto inside = with_delegate(0, 0);
  const auto from_inside = baton::pte::read_bytes(inside);
  return node.is(baton::call_delegate) && view.inputs(node).size() == 1 && view.outputs_of(node).size() == 2 &&
         view.text(module.backend_id) == "MyNpu" && view.text(module.processed_bytes) == sixteen_bytes && view.text(spec.key) == "mode" &&
         view.text(spec.value) == "fast" && view.text(part.target) == "executorch.opaque_part" && view.outputs_of(part).size() == 2 &&
         view.text(view.named_data[0].key) == "key" && view.text(view.named_data[0].data) == sixteen_bytes &&
         program_view(from_inside).text(from_inside.delegates[0].processed_bytes) == "inline bytes" &&
         fails<"damaged_model">(with_delegate(1, 7), "the delegate of instruction 0 is in segment 7, but the number of segments is 1") &&
         fails<"damaged_model">(with_delegate(0, 7), "processed bytes in entry 7 of the program, but the number of entries is 1") &&
         fails<"damaged_model">(with_delegate(2, 0), "has its processed bytes in the unknown location 2") &&
         fails<"damaged_model">(with_delegate(-1, 0), "the delegate of instruction 0 does not state where its processed bytes are") &&
         fails<"damaged_model">(with_delegate(1, 0, 3), "instruction 0 calls delegate 3, but the number of delegates is 1");
}

// encode(x) = relu(x); scale() = 0.5
constexpr auto with_methods() -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0}), y = write.tensor({.sizes = {2}, .offset = 16});
  write.call("aten::relu", "out", {x, y, y});
  write.method({x}, {y}, "encode");
  write.method({}, {write.real(0.5)}, "scale");
  return write.file();
}
constexpr auto methods_are_entry_points() -> bool {
  const auto bytes = with_methods();
  const auto names = baton::default_importers.entry_points(bytes);
  const auto scale = baton::default_importers.read(bytes, "scale");
  const auto chosen = error_of(bytes, "decode");
  using of_scale = baton::pte::importer_with<baton::pte::entry<"scale">>;
  const auto in_list = baton::importers<baton::tflite::importer, of_scale>;
  return baton::same(of_scale::read(bytes).value, scale.value) && contains(baton::print(in_list.read(bytes, "encode").value), "encode:") &&
         in_list.entry_points(bytes).size() == 2 && names.size() == 2 && names[0].name == "encode" && names[0].is_default &&
         names[1].name == "scale" && !names[1].is_default && contains(printed(bytes), "encode:") &&
         contains(baton::print(scale.value), "float64[], constant") && chosen.is<"unknown_name">() &&
         baton::view(chosen.reason) == "there is no method decode; there are: encode scale";
}

constexpr auto memories_are_listed() -> bool {
  const auto bytes = with_methods();
  const auto of_encode = baton::pte::importer::planned_bytes(bytes), of_other = baton::pte::importer::planned_bytes(bytes, "decode");
  return of_encode && of_encode.value.size() == 2 && of_encode.value[0] == 0 && of_encode.value[1] % 16 == 0 && of_encode.value[1] != 0 &&
         of_other.error.is<"unknown_name">() &&
         baton::pte::importer::planned_bytes(span<const char>{bytes.data(), bytes.size() - 60}).error.is<"damaged_model">();
}

// y = relu(constant), where the constant is in an old table, or in an external file
constexpr auto of_constant(const pte_tensor& facts, bool is_old) -> file {
  pte_writer write;
  const auto weight = write.tensor(facts), y = write.tensor({.sizes = {2}, .offset = 16});
  write.call("aten::relu", "out", {weight, y, y});
  write.method({}, {y});
  return is_old ? write.old_file(sixteen_bytes.substr(0, 8)) : write.file(sixteen_bytes);
}
constexpr auto data_are_found() -> bool {
  const pte_tensor external{.sizes = {2}, .name = "w", .is_external = true};
  const auto bytes = of_constant(external, false);
  const auto weights = tests::tensor_file("w", "weights!"), others = tests::tensor_file("v", "weights!"),
             cut = tests::tensor_file("w", "short");
  using file_list = const baton::pte::read_options::file[1];
  const auto read = [&](const file& data) {
    file_list files = {{"weights.ptd", data}};
    return baton::pte::try_read_bytes(bytes, {.files = files});
  };
  auto damaged = weights;
  damaged[0] = '\x7f';
  const auto truncated = tests::tensor_file("w", "weights!", 1);
  constexpr std::string_view reason = "file weights.ptd: its tables are damaged, or a segment is not inside the file";
  const auto with_file = read(weights);
  const auto old = of_constant({.sizes = {2}, .buffer = 1}, true);
  return program_view(with_file.value).text(with_file.value.values[0].data) == "weights!" && read(others).error.is<"missing_file">() &&
         error_of(bytes).is<"missing_file">() && baton::view(read(cut).error.reason) == "value 0 needs 8 bytes, but its data has 5 bytes" &&
         baton::view(read(bytes).error.reason) == "file weights.ptd: it has no identifier FT01 at byte 4" && !error_of(old) &&
         baton::view(read(damaged).error.reason) == reason && baton::view(read(truncated).error.reason) == reason &&
         fails<"damaged_model">(of_constant({.sizes = {2}, .buffer = 9}, false),
                                "value 0 is constant 9, but the number of constants is 3") &&
         fails<"damaged_model">(of_constant({.sizes = {3}, .buffer = 1}, false), "value 0 is at byte 8 of its segment, 12 bytes long") &&
         fails<"damaged_model">(of_constant({.sizes = {3}, .buffer = 1}, true), "value 0 needs 12 bytes, but its data has 8 bytes");
}

constexpr auto bad_tensors_are_refused() -> bool {
  const auto of = [](const pte_tensor& facts) { return of_constant(facts, false); };
  return fails<"unsupported_model">(of({.sizes = {2}, .buffer = 1, .type = 12}), "value 0 has the unsupported scalar type 12") &&
         fails<"damaged_model">(of({.sizes = {2, 1}, .buffer = 1, .order = {0, 0}}), "value 0 has a negative size") &&
         fails<"damaged_model">(of({.sizes = {2, 1}, .buffer = 1, .order = {0}}), "value 0 has 2 sizes, and an order of 1 dimension") &&
         fails<"damaged_model">(of({.sizes = {-2}, .buffer = 1}), "value 0 has a negative size") &&
         fails<"unknown_size">(of({.sizes = {2}, .buffer = 1, .dynamism = 2}), "value 0 has sizes without upper bounds") &&
         fails<"damaged_model">(of({.sizes = {2}, .offset = 64}), "value 0 is read, but no instruction has written it");
}

constexpr auto headers_are_checked() -> bool {
  auto bytes = straight_line();
  auto cut = bytes;
  cut.resize(cut.size() - 1);
  auto half = bytes;
  half.resize(half.size() / 2);
  auto other = bytes;
  other[7] = '9';
  return fails<"damaged_model">(cut, "the header states segments at byte") &&
         fails<"damaged_model">(half, "the header states a program of") && error_of(other).is<"foreign_file">() &&
         error_of({}).is<"foreign_file">() && baton::pte::importer::entry_points(half).empty();
}

// y = relu(x), of at most four rows; z is a delegate's output of as many rows
constexpr auto with_bounds(bool has_delegate) -> file {
  pte_writer write;
  const auto x = write.tensor({.sizes = {4, 2}, .offset = 0, .order = {1, 0}, .dynamism = 1});
  const auto y = write.tensor({.sizes = {4, 2}, .offset = 32, .order = {1, 0}, .dynamism = 1});
  const auto z = write.tensor({.sizes = {4, 2}, .offset = 64, .dynamism = 1});
  write.call("aten::relu", "out", {x, y, y});
  write.delegate("MyNpu", 0, 0);
  if (has_delegate) write.delegate_call(0, {y, z});
  write.method({x}, {y});
  return write.file();
}
constexpr auto sizes_follow_from_inputs() -> bool {
  const auto bytes = with_bounds(false), delegated = with_bounds(true);
  const auto read = [](const file& from, std::string_view input, std::int64_t rows) {
    const std::int64_t sizes[] = {rows, 2};
    const baton::pte::read_options::bound_shape shapes[] = {{input, sizes}};
    return baton::pte::try_read_bytes(from, {.shapes = shapes});
  };
  const auto three = read(bytes, "input_0", 3);
  return contains(baton::print(three.value), "aten.relu.out](%input_0, dim_orders=[1, 0, 1, 0])  # float32[2, 3]") &&
         contains(printed(bytes), "# float32[2, 4]") && read(bytes, "input_0", 5).error.is<"unsupported_model">() &&
         read(bytes, "input_1", 3).error.is<"unknown_name">() && read(delegated, "input_0", 3).error.is<"unresolved_type">();
}

// A bundled program with one recorded execution.
constexpr auto bundled(std::string_view output) -> file {
  struct writer : tests::flatbuffer_writer {
    constexpr auto run(const file& program, std::string_view data) -> file {
      const std::string_view bytes(program.data(), program.size());
      const auto value = [this](std::string_view content) {
        const auto sizes = vector<std::int32_t>({2});
        const auto order = vector<std::uint8_t>({0});
        const auto tensor = table(
            {tests::byte_field(0, 6), tests::offset_field(1, sizes), tests::offset_field(2, text(content)), tests::offset_field(3, order)});
        return table({tests::byte_field(0, 1), tests::offset_field(1, tensor)});
      };
      const auto number = table({tests::byte_field(0, 2), tests::offset_field(1, table({tests::long_field(0, -3)}))});
      const auto inputs = offsets({value("12345678"), number}), outputs = offsets({value(data)});
      const auto recorded = offsets({table({tests::offset_field(0, inputs), tests::offset_field(1, outputs)})});
      const auto suites = offsets({table({tests::offset_field(0, text("encode")), tests::offset_field(1, recorded)})});
      return finish(table({tests::offset_field(1, suites), tests::offset_field(2, text(bytes))}), baton::pte::bundle_identifier);
    }
  };
  return writer{}.run(with_methods(), output);
}
constexpr auto bundled_programs_are_read() -> bool {
  const auto bytes = bundled("abcdefgh"), cut = bundled("abcd");
  const auto cases = baton::pte::recorded_cases_of(bytes, "encode"), none = baton::pte::recorded_cases_of(bytes, "scale");
  if (!cases || cases.value.size() != 1 || !none || !none.value.empty()) return false;
  const auto& inputs = cases.value[0].inputs;
  const auto& output = cases.value[0].outputs[0];
  return inputs.size() == 2 && inputs[0].data.size() == 8 && inputs[1].type == baton::dtype::int64 &&
         inputs[1].number == static_cast<std::uint64_t>(-3) && output.sizes.size() == 1 && output.sizes[0] == 2 && output.data[0] == 'a' &&
         contains(printed(bytes), "encode:") && baton::default_importers.entry_points(bytes).size() == 2 &&
         baton::pte::recorded_cases_of(cut, "encode").error.is<"damaged_model">() && !error_of(cut);
}

constexpr auto memory_has_contents() -> bool {
  baton::detail::memory_contents memory;
  memory.write({{1, 0, 16}, baton::dtype::float32, 5});
  memory.write({{1, 16, 16}, baton::dtype::float32, 6});
  const auto first = memory.find({1, 0, 16}, baton::dtype::float32), other = memory.find({2, 0, 16}, baton::dtype::float32);
  memory.remove({1, 15, 2});
  return first == 5 && other == baton::npos && memory.size() == 0 && !baton::detail::memory_range{1, 8, 0}.overlaps({1, 0, 16}) &&
         baton::detail::memory_range{1, 0xffffffffffffffffu, 4}.overlaps({1, 0xffffffffffffffffu, 1}) &&
         !baton::detail::memory_range{1, 0xffffffffffffffffu, 4}.overlaps({1, 0, 4});
}

}  // namespace

static_assert(arguments_are_operands_and_attributes());
static_assert(in_place_operators_are_renamed());
static_assert(jumps_become_branches());
static_assert(jumps_back_become_loops());
static_assert(numbers_have_no_size());
static_assert(delegates_become_lowered_modules());
static_assert(memories_are_listed());

TEST_CASE("pte: arguments are operands and attributes with positions") {
  CHECK(arguments_are_operands_and_attributes());
  CHECK(orders_are_stored_shapes());
}
TEST_CASE("pte: omitted views are found in memory") {
  CHECK(omitted_views_are_found_in_memory());
  CHECK(memory_has_contents());
}
TEST_CASE("pte: in-place operators write new values, and mutable buffers have mutations") { CHECK(in_place_operators_are_renamed()); }
TEST_CASE("pte: jumps become branches and loops, or are refused") {
  CHECK(jumps_become_branches());
  CHECK(other_jumps_are_refused());
  CHECK(jumps_back_become_loops());
  CHECK(numbers_have_no_size());
}
TEST_CASE("pte: delegate calls become calls of lowered modules") { CHECK(delegates_become_lowered_modules()); }
TEST_CASE("pte: methods are entry points") {
  CHECK(methods_are_entry_points());
  CHECK(memories_are_listed());
}
TEST_CASE("pte: sizes with upper bounds follow from stated shapes of inputs") { CHECK(sizes_follow_from_inputs()); }
TEST_CASE("pte: bundled programs have recorded executions") { CHECK(bundled_programs_are_read()); }
TEST_CASE("pte: data are in segments, tables or external files") { CHECK(data_are_found()); }
TEST_CASE("pte: unknown operators are refused all at once") { CHECK(unknown_operators_are_counted()); }
TEST_CASE("pte: invalid tensors and headers are refused with their numbers") {
  CHECK(bad_tensors_are_refused());
  CHECK(headers_are_checked());
}
