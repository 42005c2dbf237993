// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An image whose delegates' blobs and named data a linker script (blobs.ld) puts into sections of their own; check_blobs.cmake knows their
// texts.
#include <baton/core/span.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <array>
#include <cstddef>
#include <string_view>

using namespace baton;

namespace {

struct npu {
  static constexpr auto id = name<"npu">;
  struct state {
    baton::span<const char> table;
  };
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    preprocess_result made{part.nodes.size() == 1 ? "blob of one node" : "blob of two nodes"};
    if (const auto why = made.named_data.add("table", std::string_view{"table of both blobs"})) return why;
    return made;
  }
  static auto init(init_context<>& context, state& own) -> status {
    const auto found = context.named_data.find("table");
    own.table = found.value;
    return found.code;
  }
  static void execute(const delegate_call& call, state& own) {
    for (std::size_t i = 0; i < call.outputs[0].size(); ++i) {
      call.outputs[0][i] = static_cast<char>(call.inputs[0][i] + call.blob[i] + own.table[i]);
    }
  }
};
struct copy {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return accept(); }
  template <class Call>
  static void run(const Call& call) {
    for (std::size_t i = 0; i < 8; ++i) call.template output<0>()[i] = call.template input<0>()[i];
  }
};

constexpr static_program model{[] {
  constexpr auto eight = tensor(dtype::int8, 8);
  program_builder b;
  auto x = b.user_input("x", eight);
  x = b.call("first", "test.npu", {x}, eight);
  x = b.call("between", "test.copy", {x}, eight);
  x = b.call("second", "test.npu", {x}, eight);
  b.output(b.call("third", "test.npu", {x}, eight));
  return b.finish();
}};
constexpr auto lowered = to_backend(backends<npu>, model, by_support<npu, operators<"test.npu">>{});

basic_executor<lowered, kernels<copy>> net;

}  // namespace

// What the compiler does not know, so that the blobs stay.
volatile signed char any = 1;

auto main() -> int {
  std::array<signed char, 8> x{any};
  std::array<signed char, 8> y{};
  if (net.run(x, y) != status::ok) return 1;
  return y[0];
}
