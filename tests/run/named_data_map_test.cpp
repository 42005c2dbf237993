// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Named data that a delegate finds when it is initialized: in the image or in an external source, never in both.
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

struct finder {
  static constexpr auto id = name<"Finder">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> result<preprocess_result> {
    preprocess_result processed;
    named_data_options aligned;
    aligned.alignment = 64;
    if (auto why = processed.named_data.add("weights", std::string_view{"1234"}, aligned)) return why;
    return processed;
  }
  static auto init(const init_context<>& context) -> status {
    const auto own = context.named_data.find("weights");
    if (!own) return own.code;
    CHECK(std::string_view{own.value.data(), own.value.size()} == "1234");
    CHECK(reinterpret_cast<std::uintptr_t>(own.value.data()) % 64 == 0);
    return context.named_data.find("calibration").code;
  }
  static void execute(const delegate_call&) {}
};
template <fixed_string Key>
struct outside {
  static auto find_named_data(std::string_view key) -> status_or<baton::span<const char>> {
    static constexpr char bytes[] = {'5'};
    if (key == std::string_view{Key}) return baton::span<const char>{bytes};
    return status::not_found;
  }
};

constexpr static_program model{[] {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 4));
  build.output(build.call("test.copy", {x}, tensor(dtype::int8, 4)));
  return build.finish();
}};
constexpr auto lowered = to_backend(backends<finder>, model, by_support<finder, operator_names<"test.copy">>{});
template <class... Services>
using net_with = basic_executor<lowered, kernels<archetypes::kernel>, plan_options{}, Services...>;

}  // namespace

TEST_CASE("named data is found in the image and outside of it") {
  net_with<> alone;
  CHECK(alone.init() == status::not_found);
  net_with<outside<"calibration">> net;
  CHECK(net.init() == status::ok);
}

TEST_CASE("looking up a key that is both in the image and outside of it fails with invalid_argument (E55)") {
  net_with<outside<"weights">> net;
  CHECK(net.init() == status::invalid_argument);
  CHECK(net.last_failure().step == run_failure::lifecycle_step::named_data);
  CHECK(explain(lowered, net.last_failure()).is<"ambiguous_named_data">());
}
