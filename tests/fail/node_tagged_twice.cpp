// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E40
// EXPECT: baton node_tagged_twice: a node would get a second tag; exclude tagged nodes, or remove the first tag
// EXPECT: at_node<1, baton::fixed_string<4>{"add"}>
// EXPECT: with_tag<baton::fixed_string<5>{"tag1"}>
// EXPECT: because<baton::fixed_string<25>{"it already has tag mine0"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_config.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct sums {
  static constexpr auto op = baton::name<"add.Tensor">;
  static constexpr auto is_supported(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
};

struct tagged_model {
  constexpr auto operator()() const -> baton::exported_program {
    baton::partition_result tagged(conformance::g_mmadd());
#if !defined(FIXED)
    tagged.tag_node(baton::node_id{1}, tagged.add_tag("mine0"));
#endif
    return tags::written(tagged, conformance::g_mmadd());
  }
};

constexpr auto model = baton::static_program{tagged_model{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_config<npu, sums>{});
