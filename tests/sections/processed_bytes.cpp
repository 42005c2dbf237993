// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An image in which a linker script (processed_bytes.ld) puts the processed bytes and named data of the delegates and the operands of the
// kernels into separate sections. check_processed_bytes.cmake searches these sections for their texts.
#include <baton/core/span.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <array>
#include <cstddef>
#include <string_view>

using namespace baton;

namespace {

// A substitute for the file of a model. Nothing reads its metadata at run time, nor the weights that a kernel packs at compile time.
constexpr char file[] = "about this model|weights once packed|weights of one sum|state at the beginning|weights of one sum";
constexpr auto text_in_file(std::string_view text, std::size_t from = 0) -> byte_ref {
  return program_builder::view({file + std::string_view{file}.find(text, from), text.size()});
}

struct npu {
  static constexpr auto id = name<"npu">;
  struct state {
    baton::span<const char> table;
  };
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    preprocess_result result{part.nodes.size() == 1 ? "blob of one node" : "blob of two nodes"};
    if (const auto why = result.named_data.add("table", std::string_view{"table of both blobs"})) return why;
    return result;
  }
  static auto init(init_context<>& context, state& self) -> status {
    const auto data = context.named_data.find("table");
    self.table = data.value;
    return data.code;
  }
  static void execute(const delegate_call& call, state& self) {
    for (std::size_t i = 0; i < call.outputs[0].size(); ++i) {
      call.outputs[0][i] = static_cast<char>(call.inputs[0][i] + call.processed_bytes[i] + self.table[i]);
    }
  }
};
// Unknown to the compiler, so that processed bytes and operands stay.
volatile signed char any = 1;

/// Adds all of its operands but the last.
struct sum {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  template <class Call>
  static void compute(const Call& call) {
    const auto first = static_cast<std::size_t>(any);
    for (std::size_t i = 0; i < 8; ++i) {
      const char* weights = call.template input<1>() + first;
      const char* equal = call.template input<2>() + first;
      call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + weights[i] * equal[i] + call.template input<3>()[i]);
    }
  }
};

constexpr static_program model{[] {
  constexpr auto eight = tensor(dtype::int8, 8);
  program_builder b;
  auto x = b.user_input("x", eight);
  const auto packed = b.parameter("packed", tensor(dtype::int8, 19), {});
  const auto weights = b.parameter("weights", tensor(dtype::int8, 18), {});
  const auto equal = b.parameter("equal", tensor(dtype::int8, 18), {});
  const auto state = b.mutable_buffer("state", tensor(dtype::int8, 22));
  x = b.call("first", "test.npu", {x}, eight);
  x = b.call("between", "test.sum", {x, weights, equal, state, packed}, eight);
  x = b.call("second", "test.npu", {x}, eight);
  b.output(b.call("third", "test.npu", {x}, eight));
  auto program = b.finish();
  program.values[index(packed)].data = text_in_file("weights once packed");
  program.values[index(weights)].data = text_in_file("weights of one sum");
  program.values[index(equal)].data = text_in_file("weights of one sum", 60);
  program.values[index(state)].data = text_in_file("state at the beginning");
  return program;
}};
constexpr auto lowered = to_backend(backends<npu>, model, by_support<npu, operator_names<"test.npu">>{});

basic_executor<lowered, kernels<sum>> net;

}  // namespace

auto main() -> int {
  std::array<signed char, 8> x{any};
  std::array<signed char, 8> y{};
  if (net.run(x, y) != status::ok) return 1;
  return y[0];
}
