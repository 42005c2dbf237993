// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows T-RT-1 to T-RT-12: the lifecycle of a delegate in an executor, with processed bytes in the image and from a loader (the original's
// inline and segment data).
#include <baton/compat/executorch/method_metadata.hpp>
#include <baton/compat/executorch/options_by_key.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;

/// The recorded calls, in order.
struct record {
  std::vector<std::string> steps;
  baton::vector<const processed_bytes*> handles;
  std::vector<std::string> texts;
};
inline record seen;

/// The stub of the original's tests, which records its calls. Backends with different `Kind` differ in `init`.
template <fixed_string Id>
struct stub {
  static constexpr auto id = name<Id>;
  struct state {
    processed_bytes* handle = nullptr;
  };
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result{"stub bytes"};
  }
  static auto init(const init_context<>& context, state& self) -> status {
    seen.steps.emplace_back("init");
    seen.texts.emplace_back(context.method);
    self.handle = &context.processed_bytes;
    return status::ok;
  }
  static auto execute(const execution_context<>& context, state& self) -> status {
    seen.steps.emplace_back("execute");
    seen.texts.emplace_back(context.method);
    seen.texts.emplace_back(self.handle->bytes().begin(), self.handle->bytes().end());
    seen.handles.push_back(self.handle);
    return status::ok;
  }
  static void destroy(state& self) {
    seen.steps.emplace_back("destroy");
    seen.handles.push_back(self.handle);
  }
};
using stub_backend = stub<"StubBackend">;

struct releasing_backend {
  static constexpr auto id = name<"ReleasingBackend">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result{"stub bytes"};
  }
  static void init(const init_context<>& context) {
    context.processed_bytes.release();
    seen.steps.emplace_back("init");
    context.processed_bytes.release();
    CHECK(context.processed_bytes.bytes().data() == nullptr);
    CHECK(context.processed_bytes.bytes().empty());
  }
  static void execute(const delegate_call& call) { CHECK(call.processed_bytes.empty()); }
};

/// Loads processed bytes as from a file system, and records each call.
struct spy_loader {
  static auto load(const processed_bytes::request& request) -> status_or<processed_bytes::loaded> {
    CHECK(request.kind == processed_bytes::request::segment_kind::backend);
    CHECK(request.size == 10);
    seen.steps.emplace_back("load " + std::string(request.backend_id) + " " + std::string(request.module));
    alignas(1024) static constexpr char bytes[] = {'n', 'o', 'w', ' ', 'l', 'o', 'a', 'd', 'e', 'd'};
    return processed_bytes::loaded{bytes, [](void*, baton::span<const char> released) {
                                     CHECK(released.data() == bytes);
                                     seen.steps.emplace_back("release");
                                   }};
  }
};

template <class Backend>
constexpr auto lowered = to_backend(backends<Backend>, static_program{conformance::make<conformance::g_mmadd>{}},
                                    by_support<Backend, operator_names<"aten.mm.default", "aten.add.Tensor", "aten.sub.Tensor">>{});
template <class Backend, class... Services>
using net_of = basic_executor<lowered<Backend>, kernels<archetypes::kernel>, plan_options{}, Services...>;
using steps = std::vector<std::string>;

}  // namespace

// There is no registry: the backend is a type in the program's list, and a list without it does not compile
// (tests/fail/unknown_backend_at_run_time.cpp).
TEST_CASE("the backend of a delegate is one of the list that the program was lowered with (T-RT-1)") {
  using program = std::remove_const_t<decltype(lowered<stub_backend>)>;
  static_assert(std::is_same_v<program::backend_types, backend_list<stub_backend>>);
  CHECK(uses_backend(lowered<stub_backend>, "StubBackend"));
}

TEST_CASE("init succeeds, and the program lists the backends that it uses (T-RT-2)") {
  static_assert(uses_backend(lowered<stub_backend>, "StubBackend") && !uses_backend(lowered<stub_backend>, "NoSuchBackend"));
  CHECK_FALSE(uses_backend(lowered<stub_backend>, "NoSuchBackend"));
  seen = {};
  net_of<stub_backend> net;
  CHECK(net.init() == status::ok);
  CHECK(net.init() == status::ok);
  CHECK(seen.steps == steps{"init"});
}

TEST_CASE("the names of a program's backends are read by index (T-RT-3)") {
  static_assert(backend_count(lowered<stub_backend>) == 1 && backend_name(lowered<stub_backend>, 0).value == "StubBackend");
  CHECK(backend_count(lowered<stub_backend>) == 1);
  CHECK(backend_name(lowered<stub_backend>, 0).value == "StubBackend");
  CHECK(backend_name(lowered<stub_backend>, 1).code == status::invalid_argument);
}

TEST_CASE("init may release the processed bytes: a loader is notified once, and bytes in the image need no release (T-RT-4)") {
  seen = {};
  {
    net_of<releasing_backend> net;
    net.run();
  }
  CHECK(seen.steps == steps{"init"});
  seen = {};
  {
    net_of<releasing_backend, spy_loader> net;
    CHECK(net.run() == status::ok);
    CHECK(net.run() == status::ok);
  }
  CHECK(seen.steps == steps{"load ReleasingBackend lowered_module_0", "release", "init"});
}

TEST_CASE("a backend keeps its processed bytes from init to destroy, and they are released afterwards (T-RT-5)") {
  seen = {};
  {
    net_of<stub_backend> net;
    CHECK(net.run() == status::ok);
    CHECK(seen.steps == steps{"init", "execute"});
    CHECK(seen.texts.back() == "stub bytes");
  }
  CHECK(seen.steps == steps{"init", "execute", "destroy"});
  CHECK(seen.handles[0] == seen.handles[1]);
  seen = {};
  {
    net_of<stub_backend, spy_loader> net;
    CHECK(net.run() == status::ok);
    CHECK(net.run() == status::ok);
    CHECK(seen.steps == steps{"load StubBackend lowered_module_0", "init", "execute", "execute"});
    CHECK(seen.texts.back() == "now loaded");
  }
  CHECK(seen.steps == steps{"load StubBackend lowered_module_0", "init", "execute", "execute", "destroy", "release"});
  CHECK(seen.handles[0] == seen.handles[2]);
}

// Loading the program has no counterpart: the compiler has already read it, and it is part of the image.
TEST_CASE("a loader, if there is one, receives the id of the backend whose processed bytes it loads (T-RT-6)") {
  seen = {};
  net_of<stub_backend> inline_net;
  CHECK(inline_net.init() == status::ok);
  CHECK(seen.steps == steps{"init"});
  seen = {};
  net_of<stub_backend, spy_loader> net;
  CHECK(net.init() == status::ok);
  CHECK(seen.steps == steps{"load StubBackend lowered_module_0", "init"});
}

TEST_CASE("init receives the method's name (T-RT-7)") {
  seen = {};
  net_of<stub_backend> net;
  CHECK(net.init() == status::ok);
  CHECK(seen.texts == std::vector<std::string>{"forward"});
}

TEST_CASE("execute receives the method's name (T-RT-8)") {
  seen = {};
  net_of<stub_backend> net;
  CHECK(net.run() == status::ok);
  CHECK(seen.texts[1] == "forward");
}

namespace {

/// A backend whose options have keys.
struct keyed_backend : stub<"KeyedBackend"> {
  using options = option_set<4>;
  static auto init(const init_context<options>& context, state&) -> status {
    seen.steps.emplace_back(std::to_string(context.options.size()) + " options");
    for (const auto& each : context.options.entries()) {
      if (const auto number = each.get<int>()) seen.texts.emplace_back(std::to_string(number.value));
      if (const auto truth = each.get<bool>()) seen.texts.emplace_back(truth.value ? "true" : "false");
      if (const auto text = each.get<std::string_view>()) seen.texts.emplace_back(text.value);
    }
    return status::ok;
  }
  static void execute(const delegate_call&) {}
  static void destroy() {}
};
const option_set three{option{"num_threads", 8}, option{"enable_profiling", true}, option{"compute_unit", "cpu_and_gpu"}};

}  // namespace

TEST_CASE("init receives the options of its backend (T-RT-9)") {
  seen = {};
  load_options options;
  CHECK(options.set("KeyedBackend", three.entries()) == status::ok);
  net_of<keyed_backend> net;
  CHECK(init_with(net, options) == status::ok);
  CHECK(seen.steps == steps{"3 options"});
  CHECK(seen.texts == std::vector<std::string>{"8", "true", "cpu_and_gpu"});
}

TEST_CASE("a backend without options receives none (T-RT-10)") {
  seen = {};
  net_of<keyed_backend> net;
  CHECK(net.init() == status::ok);
  CHECK(seen.steps == steps{"0 options"});
}

TEST_CASE("init does not receive options of another backend (T-RT-11)") {
  seen = {};
  load_options options;
  CHECK(options.set("AnotherBackend", three.entries()) == status::ok);
  net_of<keyed_backend> net;
  CHECK(init_with(net, options) == status::ok);
  CHECK(seen.steps == steps{"0 options"});
}

namespace {

template <std::size_t Alignment>
struct aligned_backend {
  static constexpr auto id = name<"AlignedBackend">;
  static constexpr std::size_t processed_bytes_alignment = Alignment;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result{"stub bytes"};
  }
  static void execute(const delegate_call& call) { CHECK(reinterpret_cast<std::uintptr_t>(call.processed_bytes.data()) % Alignment == 0); }
};

}  // namespace

TEST_CASE("processed bytes are aligned by default, and as their backend requires (T-RT-12)") {
  net_of<aligned_backend<16>> by_default;
  by_default.run();
  net_of<aligned_backend<1024>> by_page;
  by_page.run();
  net_of<aligned_backend<1024>, spy_loader> loaded;
  CHECK(loaded.run() == status::ok);
}
