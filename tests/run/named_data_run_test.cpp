// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A delegate finds its named data: in the image without a copy, or in an external source.
#include <baton/compat/executorch/externalize.hpp>
#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/shared/rules.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using text = std::string_view;

constexpr char flash[] = {'w', 'e', 'i', 'g', 'h', 't'};

/// Has a view, a packed copy with an alignment of 64 bytes, and data outside of the program. Its `init` looks up all of them.
struct finder {
  static constexpr auto id = name<"Finder">;
  struct state {
    baton::span<const char> weights;
    baton::span<const char> packed;
    baton::span<const char> outside;
  };
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> result<preprocess_result> {
    preprocess_result processed;
    named_data_options packed;
    packed.alignment = 64;
    named_data_options outside;
    outside.external_tag = "file";
    if (auto why = processed.named_data.add_view("weights", text{flash, 6})) return why;
    if (auto why = processed.named_data.add("packed", text{"packed"}, packed)) return why;
    if (auto why = processed.named_data.add("outside", text{"in a file"}, outside)) return why;
    return processed;
  }
  static void init(const init_context<>& context, state& self) {
    self.weights = context.named_data.find("weights").value;
    self.packed = context.named_data.find("packed").value;
    self.outside = context.named_data.find("outside").value;
    CHECK(context.named_data.find("nothing").code == status::not_found);
  }
  static inline state seen;
  static void execute(const delegate_call&, state& self) { seen = self; }
};

constexpr auto lowered = to_backend(backends<finder>, static_program{conformance::make<conformance::g_mmadd>{}},
                                    by_support<finder, operator_names<"aten.mm.default", "aten.add.Tensor", "aten.sub.Tensor">>{});

/// A mapped file.
struct mapped_file {
  static constexpr char bytes[] = {'f', 'i', 'l', 'e'};
  static auto find_named_data(text key) -> status_or<baton::span<const char>> {
    if (key == "outside") return baton::span<const char>{bytes};
    return status::not_found;
  }
};
/// A file that also has the keys of the image.
struct greedy_file {
  static auto find_named_data(text) -> status_or<baton::span<const char>> { return baton::span<const char>{mapped_file::bytes}; }
};

template <class... Services>
using net_of = basic_executor<lowered, kernels<archetypes::kernel>, plan_options{}, Services...>;

}  // namespace

TEST_CASE("a delegate finds its data in the image, without a copy and with the requested alignment") {
  net_of<> net;
  net.run();
  CHECK(finder::seen.weights.data() == flash);
  CHECK(text{finder::seen.packed.data(), finder::seen.packed.size()} == "packed");
  CHECK(reinterpret_cast<std::uintptr_t>(finder::seen.packed.data()) % 64 == 0);
  CHECK(finder::seen.outside.data() == nullptr);
}

TEST_CASE("data outside of the program is found in a source that the user provides") {
  net_of<mapped_file> net;
  CHECK(net.run() == status::ok);
  CHECK(finder::seen.outside.data() == mapped_file::bytes);
  CHECK(finder::seen.weights.data() == flash);
}

TEST_CASE("a run stops if a key of named data is both in the image and outside of it (E55)") {
  net_of<greedy_file> net;
  CHECK(net.run() == status::invalid_argument);
  const auto why = explain(lowered, net.last_failure());
  CHECK(why.is<"ambiguous_named_data">());
  CHECK(std::string(view(why.reason)) == "status 18 invalid_argument, key weights, delegate lowered_module_0");
  CHECK(std::string(view(why.backend)) == "Finder");
}
