// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows T-UPD-1 to T-UPD-9: options that are set before, between and after the lifecycle steps of a delegate. Each executor has its own
// options.
#include <baton/compat/executorch/options_by_key.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace baton;

/// The mock of the original's tests.
struct mock {
  static constexpr auto id = name<"MockBackend">;
  struct options {
    std::string backend;
    int threads = 0;
    bool debug = false;
    int times_set = 0;
  };
  struct state {
    int threads_at_init = -1;
  };
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return preprocess_result{"mock"}; }

  static auto set_option(options& all, const option& changed) -> status {
    if (changed.key() == "Backend") return take(all, changed.get<std::string_view>(), all.backend);
    if (changed.key() == "NumberOfThreads") return take(all, changed.get<int>(), all.threads);
    if (changed.key() == "Debug") return take(all, changed.get<bool>(), all.debug);
    return status::invalid_argument;
  }
  static auto get_option(const options& all, std::string_view key) -> status_or<option> {
    if (key == "NumberOfThreads") return option{"NumberOfThreads", all.threads};
    return status::not_found;
  }
  static void init(const init_context<options>& context, state& self) {
    self.threads_at_init = context.options.threads;
    threads_at_init = self.threads_at_init;
  }
  static void execute(const execution_context<options>& context, const state&) {
    ++executions;
    threads_at_execute = context.options.threads;
  }

  static inline int threads_at_init = -1;
  static inline int threads_at_execute = -1;
  static inline int executions = 0;

 private:
  template <class T, class To>
  static auto take(options& all, const status_or<T>& read, To& to) -> status {
    if (!read) return read.code;
    to = read.value;
    ++all.times_set;
    return status::ok;
  }
};

constexpr auto lowered = to_backend(backends<mock>, static_program{conformance::make<conformance::g_sin>{}},
                                    by_support<mock, operator_names<"aten.sin.default">>{});
using net_type = basic_executor<lowered, kernels<archetypes::kernel>>;
static_assert(!net_type::can_fail && std::is_void_v<net_type::run_result>);

auto fresh() -> net_type {
  mock::threads_at_init = mock::threads_at_execute = -1;
  mock::executions = 0;
  return {};
}

}  // namespace

TEST_CASE("a backend may reject an unknown option (T-UPD-1)") {
  auto net = fresh();
  CHECK(set_option(net, "MockBackend", option{"NoSuchKey", 1}) == status::invalid_argument);
}
TEST_CASE("a text option is set in an executor (T-UPD-2)") {
  auto net = fresh();
  CHECK(set_option(net, "MockBackend", option{"Backend", "GPU"}) == status::ok);
  CHECK(net.options<mock>().backend == "GPU");
}
TEST_CASE("a number option is set in an executor (T-UPD-3)") {
  auto net = fresh();
  CHECK(set_option(net, "MockBackend", option{"NumberOfThreads", 4}) == status::ok);
  CHECK(net.options<mock>().threads == 4);
}
TEST_CASE("a boolean option is set in an executor (T-UPD-4)") {
  auto net = fresh();
  CHECK(set_option(net, "MockBackend", option{"Debug", true}) == status::ok);
  CHECK(net.options<mock>().debug);
}
TEST_CASE("several options are set in one call (T-UPD-5)") {
  auto net = fresh();
  CHECK(set_option(net, "MockBackend", option{"Debug", true}) == status::ok);
  CHECK(set_option(net, "MockBackend", option{"NumberOfThreads", 4}) == status::ok);
  CHECK(set_option(net, "MockBackend", option{"Backend", "GPU"}) == status::ok);
  CHECK(net.options<mock>().times_set == 3);
  CHECK(set_option(net, "MockBackend", option{"Debug", 1}) == status::invalid_argument);
}
TEST_CASE("init receives an option that was set before it (T-UPD-6)") {
  auto net = fresh();
  CHECK(set_option(net, "MockBackend", option{"NumberOfThreads", 4}) == status::ok);
  net.init();
  CHECK(mock::threads_at_init == 4);
  CHECK(net.options<mock>().times_set == 1);
  CHECK(mock::executions == 0);
}
TEST_CASE("an option may be set between init and execute (T-UPD-7)") {
  auto net = fresh();
  net.init();
  CHECK(set_option(net, "MockBackend", option{"NumberOfThreads", 4}) == status::ok);
  net.run();
  CHECK(mock::threads_at_init == 0);
  CHECK(mock::threads_at_execute == 4);
  CHECK(net.options<mock>().times_set == 1);
  CHECK(mock::executions == 1);
}
TEST_CASE("an option may be set between two executions (T-UPD-8)") {
  auto net = fresh();
  net.run();
  CHECK(mock::threads_at_execute == 0);
  net.options<mock>().threads = 8;
  net.run();
  CHECK(mock::threads_at_execute == 8);
  CHECK(mock::executions == 2);
}
TEST_CASE("options are set and read by the backend's name; an unknown name is not found (T-UPD-9, E59)") {
  auto net = fresh();
  CHECK(set_option(net, "MockBackend", option{"NumberOfThreads", 4}) == status::ok);
  const auto read = get_option(net, "MockBackend", "NumberOfThreads");
  REQUIRE(read);
  CHECK(read.value.get<int>().value == 4);
  CHECK(get_option(net, "MockBackend", "Debug").code == status::not_found);
  CHECK(set_option(net, "NoSuchBackend", option{"Debug", true}) == status::not_found);
  CHECK(get_option(net, "NoSuchBackend", "Debug").code == status::not_found);
}
TEST_CASE("an executor accepts options of the type that the backend declares") {
  net_type net{with_options<mock>({.backend = "GPU", .threads = 3})};
  CHECK(net.options<mock>().threads == 3);
  net.init();
  CHECK(mock::threads_at_init == 3);
}
