// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executors at namespace scope with each kind of service and each kind of data whose initial bytes are not zero.
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <array>
#include <string_view>

using namespace baton;

struct settings {
  int gain = 1;
};
struct counted {
  int left = 3;
  const char* name = "npu";
};

template <class Backend>
struct named_backend {
  static constexpr auto id = name<"npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return preprocess_result{"blob"}; }
};
struct with_nothing : named_backend<with_nothing> {
  static void execute(const delegate_call&) {}
};
struct with_status : named_backend<with_status> {
  static auto execute(const delegate_call&) -> status { return status::ok; }
};
struct with_settings : named_backend<with_settings> {
  using options = settings;
  static void execute(const execution_context<options>&) {}
};
struct with_counts : named_backend<with_counts> {
  using state = counted;
  static void execute(const delegate_call&, state& self) { --self.left; }
};
struct with_all : named_backend<with_all> {
  using options = settings;
  using state = counted;
  static auto is_available() -> bool;
  static auto init(init_context<options>&, state&) -> status { return status::ok; }
  static auto execute(const execution_context<options>&, state&) -> status { return status::ok; }
};

struct ram_loader {
  static auto load(const processed_bytes::request&) -> status_or<processed_bytes::loaded> { return status::not_found; }
};
struct no_data {
  static auto find_named_data(std::string_view) -> status_or<baton::span<const char>> { return status::not_found; }
};
struct silent_tracer {
  static void start(const trace_event&) {}
};

constexpr char eight_bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
struct make_model {
  constexpr auto operator()() const {
    program_builder b;
    const auto wide = tensor(dtype::int8, 8);
    const auto x = b.user_input("x", wide);
    const auto s = b.mutable_buffer("s", wide, std::string_view{eight_bytes, sizeof eight_bytes});
    const auto y = b.call("test.double", {x}, tensor(dtype::int8, 4096));
    const auto z = b.call("test.sum", {y, s}, wide);
    b.mutation(z, "s");
    b.output(y);
    b.output(z);
    return b.finish();
  }
};
constexpr static_program model{make_model{}};
template <class Backend>
constexpr auto lowered = to_backend(backends<Backend>, model, by_support<Backend, operator_names<"test.double", "test.sum">>{});

template <class Backend, class... Services>
using net = basic_executor<lowered<Backend>, kernels<archetypes::kernel>, plan_options{}, Services...>;

// Each has 4,096 bytes and more of arena, and a mutable buffer that begins with data.
net<with_nothing> net_plain;
net<with_status> net_of_status;
net<with_settings> net_of_options;
net<with_counts> net_of_state;
net<with_all> net_of_all;
net<with_nothing, ram_loader> net_with_loader;
net<with_all, no_data> net_with_source;
net<with_status, silent_tracer> net_with_tracer;
net<with_settings, initial_options<with_settings, settings{.gain = 4}>> net_with_initial_options;
net<with_all, ram_loader, no_data, silent_tracer, initial_options<with_all, settings{.gain = 4}>> net_with_all;
