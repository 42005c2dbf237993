// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tflite_writer.hpp"

namespace {

using namespace baton;
using tests::int_field;
using tests::offset_field;
using tests::tflite_writer;
using bytes = baton::vector<char>;

// The indices of the operator codes of each model: var_handle, read_variable, assign_variable, call_once, neg, call.
enum code : std::int32_t { handle, read, assign, call_once, neg, call };
constexpr int resource = 13;

constexpr auto variable_options(tflite_writer& w, std::string_view name, std::string_view container = {}) {
  const auto text = w.text(name);
  return w.options(111, {offset_field(0, container.empty() ? 0 : w.text(container)), offset_field(1, text)});
}
constexpr auto call_once_options(tflite_writer& w, std::int32_t graph) { return w.options(103, {int_field(0, graph)}); }

/// Returns a model with these graphs and operator codes. Buffer 1 contains 2 and 3, buffer 2 contains 4 and 5.
constexpr auto model_of(tflite_writer& w, std::initializer_list<tests::reference> graphs) -> bytes {
  return w.model(
      {w.operator_code(142), w.operator_code(143), w.operator_code(144), w.operator_code(129), w.operator_code(59), w.operator_code(31)},
      graphs, {w.buffer({}), w.buffer("\x02\x03"), w.buffer("\x04\x05")});
}

/// A model that reads a variable, assigns x to it and reads it again. The tensors are 0 x, 1 the handle, 2 the first value read, 3 the
/// second one, and 4 another handle of the variable.
constexpr auto read_assign_read(std::string_view container = {}, std::int64_t zero_of_x = -7) -> bytes {
  tflite_writer w;
  const auto x = w.tensor("x", {2}, tests::int8, 0, w.quantization({0.5f}, {zero_of_x}));
  const auto h = w.tensor("h", {}, resource);
  const auto before = w.tensor("before", {2}, tests::int8, 0, w.quantization({0.5f}, {-7}));
  const auto after = w.tensor("after", {2}, tests::int8, 0, w.quantization({0.5f}, {-7}));
  const auto again = w.tensor("again", {}, resource);
  return model_of(w, {w.graph({x, h, before, after, again}, {0}, {2, 3},
                              {w.operation(handle, {}, {1}, variable_options(w, "state", container)), w.operation(read, {1}, {2}),
                               w.operation(assign, {1, 0}, {}), w.operation(handle, {}, {4}, variable_options(w, "state", container)),
                               w.operation(read, {4}, {3})})});
}

constexpr auto a_variable_becomes_a_mutable_buffer() -> bool {
  const auto model = read_assign_read();
  const auto program = tflite::read_bytes(model);
  const auto outputs = program.outputs_of(program.root());
  const auto& state = program[outputs[1].value];
  return program.nodes.size() == 0 && outputs.size() == 3 && outputs[0].kind == output_kind::buffer_mutation &&
         program.text(outputs[0].target) == "state" && program[outputs[0].value].kind == value_kind::user_input &&
         state.kind == value_kind::mutable_buffer && program.text(state.target) == "state" && outputs[2].value == outputs[0].value;
}
static_assert(a_variable_becomes_a_mutable_buffer());

/// A large model is read in two steps: the tensors of the root, then the rest. A variable has the type of its own tensor in both.
constexpr auto a_variable_is_read_in_steps() -> bool {
  tflite_writer w;
  const auto other = w.tensor("other", {3}, tests::int32), x = w.tensor("x", {2}, tests::float32), h = w.tensor("h", {}, resource),
             y = w.tensor("y", {2}, tests::float32);
  const auto model = model_of(w, {w.graph({other, x, h, y}, {1, 0}, {3},
                                          {w.operation(handle, {}, {2}, variable_options(w, "state")), w.operation(read, {2}, {3}),
                                           w.operation(assign, {2, 1}, {})})});
  const auto program = tflite::importer::read_unfinished(model, tflite::importer::read_tensors(model));
  const program_view view(program.value);
  for (const auto& record : program.value.values) {
    if (record.kind == value_kind::mutable_buffer)
      return record.type == dtype::float32 && view.integer_list(record.shape).size() == 1 && view.integer_list(record.shape)[0] == 2;
  }
  return false;
}
static_assert(a_variable_is_read_in_steps());

/// Returns the names of the operators of a model's root, or the sentence of the rule that it breaks.
auto operators_of(const bytes& model) -> text_buffer {
  const auto imported = tflite::try_read_bytes(model);
  if (!imported) return join(imported.error.rule);
  text_buffer names;
  for (const auto& record : imported.value.nodes_of(imported.value.root())) append(append(names, imported.value.text(record.target)), " ");
  return names;
}
/// Returns the initial bytes of the only state of a model, or "no state".
auto first_bytes(const bytes& model) -> text_buffer {
  const auto program = tflite::read_bytes(model);
  for (const auto& record : program.values) {
    if (record.kind == value_kind::mutable_buffer) return join(std::string_view{program.data(record.data).data(), record.data.size});
  }
  return join("no state");
}

TEST_CASE("tflite: a variable of a model that is read in steps has its own type") { CHECK(a_variable_is_read_in_steps()); }

TEST_CASE("variables: a resource variable becomes a mutable buffer, and its nodes are removed") {
  CHECK(a_variable_becomes_a_mutable_buffer());
  const auto model = read_assign_read("room");
  const auto program = tflite::read_bytes(model);
  CHECK(program.text(program.outputs_of(program.root())[0].target) == "room/state");
}

TEST_CASE("variables: the initial value of a variable that is not initialized is the zero point") {
  CHECK(view(first_bytes(read_assign_read())) == "\xf9\xf9");
}

TEST_CASE("variables: nodes are kept if a variable is read with another quantization than it was assigned with") {
  CHECK(view(operators_of(read_assign_read({}, 3))) ==
        "tfl.var_handle tfl.read_variable tfl.assign_variable tfl.var_handle tfl.read_variable ");
}

/// A model with a `call_once` of graph `called`. Graph 1 assigns a constant with the data of `buffer`; if `buffer` is 0, it is not a
/// constant. If `second` is not 0, graph 1 then assigns the data of `second`. If `is_late`, the `call_once` is last.
auto initialized(std::int32_t buffer, bool is_late = false, std::int32_t called = 1, std::int32_t second = 0) -> bytes {
  tflite_writer w;
  const auto h = w.tensor("h", {}, resource);
  const auto y = w.tensor("y", {2}, tests::int8);
  const auto init_h = w.tensor("h", {}, resource);
  const auto first = w.tensor("first", {2}, tests::int8, buffer);
  const auto other = w.tensor("second", {2}, tests::int8, second);
  const auto once = w.operation(call_once, {}, {}, call_once_options(w, called));
  const auto create = w.operation(handle, {}, {0}, variable_options(w, "state"));
  const auto read_state = w.operation(read, {0}, {1});
  const auto root = is_late ? w.graph({h, y}, {}, {1}, {create, read_state, once}) : w.graph({h, y}, {}, {1}, {once, create, read_state});
  const auto assign_first = w.operation(assign, {0, 1}, {});
  const auto assign_second = w.operation(assign, {0, 2}, {});
  const auto create_again = w.operation(handle, {}, {0}, variable_options(w, "state"));
  return model_of(w, {root, second == 0 ? w.graph({init_h, first, other}, {}, {}, {create_again, assign_first})
                                        : w.graph({init_h, first, other}, {}, {}, {create_again, assign_first, assign_second})});
}

TEST_CASE("variables: call_once sets the initial value if it comes first and assigns one constant") {
  CHECK(view(first_bytes(initialized(1))) == "\x02\x03");
  CHECK(view(operators_of(initialized(1))).empty());
  CHECK(tflite::read_bytes(initialized(1)).graphs.size() == 1);
  CHECK(view(operators_of(initialized(1, true))) == "tfl.var_handle tfl.read_variable tfl.call_once ");
  CHECK(view(operators_of(initialized(1, false, 1, 2))) == "tfl.call_once tfl.var_handle tfl.read_variable ");
  CHECK(view(operators_of(initialized(0))).find("baton damaged_model") == 0);  // the assigned value has no producer
  CHECK(view(operators_of(initialized(1, false, 7))).find("baton damaged_model") == 0);
}

TEST_CASE("variables: nodes are kept if a handle is passed to another operator") {
  tflite_writer w;
  const auto h = w.tensor("h", {}, resource);
  const auto y = w.tensor("y", {2}, tests::int8);
  const auto z = w.tensor("z", {2}, tests::int8);
  const auto program = model_of(w, {w.graph({h, y, z}, {}, {1, 2},
                                            {w.operation(handle, {}, {0}, variable_options(w, "state")), w.operation(read, {0}, {1}),
                                             w.operation(call, {0}, {2}, w.options(16, {int_field(0, 1)}))}),
                                    w.graph({h, y}, {0}, {1}, {w.operation(read, {0}, {1})})});
  CHECK(view(operators_of(program)) == "tfl.var_handle tfl.read_variable tfl.call ");
}

TEST_CASE("variables: called graphs share variables, and all nodes are kept if a stale value would be read") {
  const auto calls = [](bool reads_after) {
    tflite_writer w;
    const auto h = w.tensor("h", {}, resource);
    const auto x = w.tensor("x", {2}, tests::int8);
    const auto y = w.tensor("y", {2}, tests::int8);
    const auto z = w.tensor("z", {2}, tests::int8);
    const auto create = w.operation(handle, {}, {0}, variable_options(w, "state"));
    const auto read_state = w.operation(read, {0}, {3});
    const auto negate = w.operation(neg, {3}, {4});
    const auto inner = w.operation(call, {1}, {2}, w.options(16, {int_field(0, 1)}));
    const auto v = w.tensor("v", {2}, tests::int8);
    const auto root = reads_after ? w.graph({h, x, y, z, v}, {1}, {2, 4}, {create, inner, read_state, negate})
                                  : w.graph({h, x, y, z, v}, {1}, {2, 4}, {create, read_state, negate, inner});
    return model_of(w, {root, w.graph({h, x, y}, {1}, {2},
                                      {w.operation(handle, {}, {0}, variable_options(w, "state")), w.operation(neg, {1}, {2}),
                                       w.operation(assign, {0, 2}, {})})});
  };
  CHECK(view(operators_of(calls(false))) == "tfl.neg tfl.call ");
  CHECK(view(operators_of(calls(true))) == "tfl.var_handle tfl.call tfl.read_variable tfl.neg ");
}

}  // namespace
