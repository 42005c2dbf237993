// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/preprocess_is_constant.hpp>

#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/partition/by_support.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <exception>

namespace {

using namespace baton;

/// A program with two parts of relu, because another operator is between them.
constexpr auto relu_exp_relu() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2);
  program_builder build;
  const auto first = build.call("aten.relu.default", {build.user_input("x", type)}, type);
  build.output(build.call("aten.relu.default", {build.call("aten.exp.default", {first}, type)}, type));
  return build.finish();
}
constexpr static_program model{[] { return relu_exp_relu(); }};

struct constant {
  static constexpr auto id = name<"Constant">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs& specs) -> preprocess_result {
    return preprocess_result{part.nodes.size() == 1 && specs.empty() ? "one" : "more"};
  }
};
/// A backend whose `preprocess` is not constexpr. It counts its calls at run time.
struct counts_calls {
  static constexpr auto id = name<"Counting">;
  static inline std::size_t calls = 0;
  static auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    ++calls;
    return {};
  }
};
template <class Backend>
using relus_to = by_support<Backend, operator_names<"aten.relu.default">>;

constexpr auto a_constexpr_preprocess_is_constant() -> bool {
  return preprocess_is_constant<constant>(model, relus_to<constant>{}) &&
         preprocess_is_constant<constant>(relu_exp_relu(), relus_to<constant>{});
}
static_assert(a_constexpr_preprocess_is_constant());
static_assert(preprocess_is_constant<counts_calls>(model, relus_to<constant>{}));  // it gets no part, so it is not called

TEST_CASE("a constexpr preprocess is constant") { CHECK(a_constexpr_preprocess_is_constant()); }

TEST_CASE("preprocess is called for each part of its backend") {
  counts_calls::calls = 0;
  CHECK(preprocess_is_constant<counts_calls>(relu_exp_relu(), relus_to<counts_calls>{}));
  CHECK(counts_calls::calls == 2);
  CHECK(preprocess_is_constant<counts_calls>(relu_exp_relu(), relus_to<constant>{}));
  CHECK(counts_calls::calls == 2);
}

/// A partitioner that fails.
struct failing {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    tagged.tag_node(node_id{77}, tagged.add_tag("tag0", delegation_spec{to_text(constant::id)}));
    return tagged;
  }
};
TEST_CASE("a failure of the partitioner is raised") {
  CHECK_THROWS_AS(static_cast<void>(preprocess_is_constant<constant>(relu_exp_relu(), failing{})), std::exception);
}

}  // namespace
