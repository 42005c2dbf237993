// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows T-COMP-1, T-COMP-2 and T-LIFT-4: processed bytes that `init` refuses, and the failure that an executor reports.
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/demo_runtime.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using conformance::backend_with_compiler_demo;

constexpr auto to_status(conformance::demo_code code) -> status { return static_cast<status>(static_cast<std::uint8_t>(code)); }

/// BackendWithCompilerDemo with the run-time half of R273.
struct demo : backend_with_compiler_demo {
  static auto init(const init_context<>& context) -> status {
    const auto bytes = context.processed_bytes.bytes();
    const auto shape = context.compile_specs.empty() ? std::string_view{} : context.compile_specs[0].value;
    return to_status(conformance::init_demo({bytes.data(), bytes.size()}, shape));
  }
  static auto execute(const delegate_call& call) -> status {
    return to_status(
        conformance::demo_interpreter(call.inputs, call.outputs).run({call.processed_bytes.data(), call.processed_bytes.size()}));
  }
};

/// A partitioner of all nodes, with the maximum number of elements for the demo.
template <char Most>
struct tag_all {
  static constexpr auto partition(const program_view& program) -> partition_result {
    auto tagged = by_support<demo, demo::supported>::partition(program);
    constexpr char value[] = {Most, '\0'};
    for (auto& [tag, spec] : tagged.partition_tags) spec.compile_specs.emplace_back("max_value", value);
    return tagged;
  }
};

/// Loads another version of the processed bytes, as after an update of only the backend or only the processed bytes.
struct newer_processed_bytes {
  static auto load(const processed_bytes::request&) -> status_or<processed_bytes::loaded> {
    alignas(16) static constexpr char bytes[] = "1version:1#op:demo::aten.sin.default, numel:1, dtype:torch.float32<debug_handle>1#";
    return processed_bytes::loaded{{bytes, sizeof bytes - 1}};
  }
};

constexpr auto g_sin_of_6() -> exported_program {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::float32, 6));
  build.output(build.call("sin", "aten.sin.default", {x}, tensor(dtype::float32, 6)));
  return build.finish();
}

constexpr auto sine = to_backend(backends<demo>, static_program{conformance::make<conformance::g_sin>{}}, tag_all<1>{});
constexpr auto sine_of_6 = to_backend(backends<demo>, static_program{conformance::make<g_sin_of_6>{}}, tag_all<6>{});
constexpr auto no_kernels = kernels<archetypes::kernel>;

/// A backend whose functions return the configured results.
struct teller {
  static constexpr auto id = name<"Teller">;
  struct state {
    int number = 0;
  };
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result{"bytes"};
  }
  static auto is_available() -> bool { return available; }
  static auto init(const init_context<>&, state& self) -> status {
    if (begun == fails_at) return status::delegate_memory_allocation_failed;
    self.number = ++begun;
    return status::ok;
  }
  static auto execute(const delegate_call&, state& self) -> status {
    ++executed;
    return self.number == fails_to_execute ? status::not_supported : status::ok;
  }
  static void destroy(const state& self) { destroyed += static_cast<char>('0' + self.number); }

  static void reset() {
    available = true;
    begun = 0;
    fails_at = fails_to_execute = -1;
    executed = 0;
    destroyed.clear();
  }
  static inline bool available = true;
  static inline int begun = 0;
  static inline int fails_at = -1;
  static inline int fails_to_execute = -1;
  static inline int executed = 0;
  static inline std::string destroyed;
};
// Two delegates, with a subtraction between them that a kernel of the test computes.
struct difference {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("aten.sub.Tensor") ? accept() : refuse()};
  }
  static void compute(const no_plan&, const node_memory&) {}
};
constexpr auto two = to_backend(backends<teller>, static_program{conformance::make<conformance::g_mmadd>{}},
                                by_support<teller, operator_names<"aten.mm.default", "aten.add.Tensor">>{});
static_assert(delegates(two).size() == 2);

/// A loader without any processed bytes.
struct empty_loader {
  static auto load(const processed_bytes::request&) -> status_or<processed_bytes::loaded> { return status::access_failed; }
};

auto text_of(const program_view& program, const run_failure& what) -> std::string {
  const auto text = message(explain(program, what));
  return {text.data(), text.size()};
}
auto says(const program_view& program, const run_failure& what, std::string_view sentence, std::string_view fact) -> bool {
  const auto text = text_of(program, what);
  return text.starts_with(sentence) && text.find(fact) != text.npos;
}

}  // namespace

TEST_CASE("processed bytes of another version are refused when the backend reads them (T-COMP-1)") {
  basic_executor<sine, no_kernels> net;
  const float x[] = {1};
  float y[] = {0};
  CHECK(net.run(x, y) == status::ok);
  CHECK(std::abs(y[0] - 0.8333f) < 1e-3f);
  basic_executor<sine, no_kernels, plan_options{}, newer_processed_bytes> newer;
  CHECK(newer.run(x, y) == status::delegate_invalid_compatibility);
  CHECK(newer.last_failure().step == run_failure::lifecycle_step::init);
}

// The counterpart of the original's program manager is the static program. This row tests `init` alone.
TEST_CASE("processed bytes of another version are refused by init, before anything runs (T-COMP-2)") {
  basic_executor<sine, no_kernels> net;
  CHECK(net.init() == status::ok);
  basic_executor<sine, no_kernels, plan_options{}, newer_processed_bytes> newer;
  CHECK(newer.init() == status::delegate_invalid_compatibility);
}

TEST_CASE("a tensor of six elements is lowered, and refused by init of a backend that supports fewer (T-LIFT-4, Q22, E51)") {
  basic_executor<sine_of_6, no_kernels> net;
  const float x[6] = {};
  float y[6] = {};
  CHECK(net.run(x, y) == status::invalid_argument);
  CHECK(says(sine_of_6, net.last_failure(), rule<"failed_init">::sentence, "status 18 invalid_argument"));
  CHECK(text_of(sine_of_6, net.last_failure()).find("BackendWithCompilerDemo") != std::string::npos);
}

TEST_CASE("an unavailable backend is reported as not found, and none of its delegates is initialized (E49)") {
  teller::reset();
  teller::available = false;
  basic_executor<two, kernels<difference>> net;
  CHECK(net.init() == status::not_found);
  CHECK(says(two, net.last_failure(), rule<"unavailable_backend">::sentence, "Teller"));
  CHECK(teller::begun == 0);
  teller::available = true;
  CHECK(net.run() == status::ok);
  CHECK(teller::begun == 2);
}

TEST_CASE("processed bytes that the loader cannot load stop init with a status (E50)") {
  teller::reset();
  basic_executor<two, kernels<difference>, plan_options{}, empty_loader> net;
  CHECK(net.run() == status::access_failed);
  CHECK(says(two, net.last_failure(), rule<"unloaded_processed_bytes">::sentence, "status 34 access_failed"));
  CHECK(teller::begun == 0);
}

TEST_CASE("if init of a delegate fails, only earlier delegates are destroyed, and a later init retries it (E51)") {
  teller::reset();
  teller::fails_at = 1;
  {
    basic_executor<two, kernels<difference>> net;
    CHECK(net.init() == status::delegate_memory_allocation_failed);
    CHECK(net.last_failure().delegate == delegate_id{1});
    CHECK(says(two, net.last_failure(), rule<"failed_init">::sentence, "status 49"));
  }
  CHECK(teller::destroyed == "1");
  teller::reset();
  teller::fails_at = 1;
  {
    basic_executor<two, kernels<difference>> net;
    CHECK(net.init() == status::delegate_memory_allocation_failed);
    teller::fails_at = -1;
    CHECK(net.run() == status::ok);
  }
  CHECK(teller::destroyed == "12");
}

TEST_CASE("the first delegate call that fails ends the run, and its status is reported (E53)") {
  teller::reset();
  teller::fails_to_execute = 1;
  basic_executor<two, kernels<difference>> net;
  CHECK(net.run() == status::not_supported);
  CHECK(teller::executed == 1);
  CHECK(net.last_failure() ==
        run_failure{status::not_supported, run_failure::lifecycle_step::execution, node_id{0}, net.last_failure().delegate});
  CHECK(says(two, net.last_failure(), rule<"failed_execute">::sentence, "status 16 not_supported"));
}
