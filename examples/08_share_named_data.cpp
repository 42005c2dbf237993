// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Named data: bytes that several delegates need are in the image once, and each delegate looks them up when it is initialized.
#include <baton/baton.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

struct table_device {
  static constexpr auto id = baton::name<"TableDevice">;
  struct state {
    baton::span<const char> squares;
  };
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::result<baton::preprocess_result> {
    baton::preprocess_result result;
    constexpr char squares[] = {0, 1, 4, 9, 16, 25, 36, 49};
    if (auto why = result.named_data.add("squares", std::string_view{squares, sizeof squares}, {.alignment = 16})) return why;
    return result;
  }
  static auto init(const baton::init_context<>& context, state& own) -> baton::status {
    const auto data = context.named_data.find("squares");
    own.squares = data.value;
    return data.code;
  }
  static void execute(const baton::delegate_call& call, state& own) {
    for (std::size_t i = 0; i < call.outputs[0].size(); ++i) {
      call.outputs[0][i] = own.squares[static_cast<unsigned char>(call.inputs[0][i]) % own.squares.size()];
    }
  }
};

// The device does not support the operator in the middle, so there are two parts.
constexpr auto model = baton::static_program{[] {
  constexpr auto two = baton::tensor(baton::dtype::int8, 2);
  baton::program_builder build;
  const auto squared = build.call("my_company.square", {build.user_input("x", two)}, two);
  const auto moved = build.call("tfl.reshape", {squared}, two);
  build.output(build.call("my_company.square", {moved}, two));
  return build.finish();
}};
constexpr auto lowered =
    baton::to_backend(baton::backends<table_device>, model, baton::by_support<table_device, baton::operator_names<"my_company.square">>{});
static_assert(baton::delegates(lowered).size() == 2);

baton::executor<lowered> net;

auto main() -> int {
  std::array<std::int8_t, 2> y{};
  if (net.run(std::array<std::int8_t, 2>{2, 1}, y) != baton::status::ok) return 1;
  std::printf("%d %d\n", y[0], y[1]);
}

// Output:
// 16 1
