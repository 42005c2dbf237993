// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A partitioner that is controlled by the names of nodes.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/partition/partitioner.hpp>

#include "report/model.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace report_model {

inline constexpr auto one = tensor(dtype::int8, 1);

struct other {
  static constexpr auto id = name<"other">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return preprocess_result("bl"); }
};

/// Nodes with the same lower-case letter are a part of `device`, with the same capital letter a part of `other`. Part `z` has a compile
/// spec.
struct by_letter {
  constexpr auto partition(const program_view& program) const -> partition_result {
    partition_result tagged(program);
    std::array<tag_id, 128> tags{};
    tags.fill(none<tag_id>);
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto letter = program.text(program.nodes[n].name).substr(0, 1);
      const bool is_small = letter >= "a" && letter <= "z";
      if (program.text(program.nodes[n].name).size() > 2 || (!is_small && (letter < "A" || letter > "Z"))) continue;
      auto& tag = tags[static_cast<std::size_t>(letter[0])];
      if (tag == none<tag_id>) tag = tagged.add_tag(letter, spec_of(letter[0], is_small));
      tagged.tag_node(node_id{n}, tag);
    }
    return tagged;
  }

 private:
  static constexpr auto spec_of(char letter, bool is_small) -> delegation_spec {
    delegation_spec spec(is_small ? std::string_view{"device"} : "other");
    if (letter == 'z') spec.compile_specs.emplace_back("key", "value");
    return spec;
  }
};

}  // namespace report_model
