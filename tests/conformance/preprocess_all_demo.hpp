// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Two backends that preprocess all methods together, and their partitioner (R276, R277).
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace conformance {

/// Bytes as Python prints them between quotes: `b'\x01'`.
constexpr auto append_python_bytes(baton::text_buffer& text, std::string_view bytes) -> baton::text_buffer& {
  constexpr std::string_view digits = "0123456789abcdef";
  append(text, "b'");
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\\' || c == '\'') {
      append(text, "\\");
      text.push_back(c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      append(text, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
    } else if (code >= 0x20 && code < 0x7f) {
      text.push_back(c);
    } else {
      append(text, "\\x");
      text.push_back(digits[code >> 4]);
      text.push_back(digits[code & 15]);
    }
  }
  return append(text, "'");
}

/// A backend (R276) whose processed bytes are `<backend>#<supported operators in all parts of all methods>#<items>#<compile specs>`.
template <baton::fixed_string Id, class Supported>
struct backend_with_preprocess_all {
  static constexpr auto id = baton::name<Id>;

  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    return baton::preprocess_result(std::string_view("\0", 1));
  }

  static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& parts,
                                               const baton::by_method<baton::compile_specs>& specs)
      -> baton::result<baton::by_method<baton::preprocess_result>> {
    std::size_t total = 0;
    for (const auto& [method, programs] : parts) {
      for (const auto& program : programs) {
        for (const auto& node : program.nodes_of(program.root())) total += Supported::supports(program, node).accepted ? 1u : 0u;
      }
    }
    baton::by_method<baton::preprocess_result> result;
    for (const auto& [method, programs] : parts) {
      for (std::size_t i = 0; i < programs.size(); ++i) {
        auto processed_bytes = baton::join(std::string_view(Id), "#", total, "#");
        if (auto why = append_items(processed_bytes, programs[i])) return why;
        append(processed_bytes, "#");
        for (const auto& spec : (*specs.find(baton::view(method)))[i]) {
          append(append_python_bytes(append(append(processed_bytes, baton::view(spec.key)), ":"), baton::view(spec.value)), ";");
        }
        result[baton::view(method)].emplace_back(baton::view(processed_bytes));
      }
    }
    return result;
  }

 private:
  static constexpr auto append_items(baton::text_buffer& processed_bytes, const baton::program_view& program) -> baton::failure {
    for (const auto input : program.inputs(program.root())) {
      if (is_owned_data(program[input].kind)) append(append(append(processed_bytes, "CONST"), program.text(program[input].name)), ":");
    }
    for (const auto& node : program.nodes_of(program.root())) {
      const auto op = program.text(node.target);
      if (!Supported::supports(program, node).accepted) {
        return baton::refuse_part("call_function ", op, " is not supported in backend ", std::string_view(Id));
      }
      append(append(processed_bytes, op), ":");
    }
    return {};
  }
};

using first_operators = baton::operator_names<"aten.sin.default", "aten.add.Tensor">;
using second_operators = baton::operator_names<"aten.cos.default", "aten.sub.Tensor">;
using first_backend_with_preprocess_all = backend_with_preprocess_all<"FirstBackendWithPreprocessAll", first_operators>;
using second_backend_with_preprocess_all = backend_with_preprocess_all<"SecondBackendWithPreprocessAll", second_operators>;

/// Their partitioner (R277): sums and sines for the first backend, with the data that they use; differences and cosines for the second. A
/// part has a compile spec for each of its operators, in order. A constant has the tag of its first user, and is shared with other users.
/// In the original, each constant is a separate partition, which a pass then copies.
struct preprocess_all_partitioner {
 private:
  template <class Parts>
  static constexpr void add(baton::partition_result& to, const baton::program_view& program, std::string_view prefix) {
    auto parts = Parts::partition(program);
    baton::vector<baton::tag_id> tags(parts.tag_count(), baton::none<baton::tag_id>);
    for (auto& [tag, spec] : parts.partition_tags) {
      const auto name = baton::join(prefix, parts.name_of(tag));
      for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
        if (parts.tag_of(baton::node_id{n}) == tag) spec.compile_specs.push_back(spec_of(program.text(program.nodes[n].target)));
      }
      tags[index(tag)] = to.add_tag(baton::view(name), std::move(spec));
    }
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto tag = parts.tag_of(baton::node_id{n});
      if (tag != baton::none<baton::tag_id> && tags[index(tag)] != baton::none<baton::tag_id>)
        to.tag_node(static_cast<baton::node_id>(n), tags[index(tag)]);
    }
  }

  /// add→00, sin→01, sub→02, cos→03.
  static constexpr auto spec_of(std::string_view op) -> baton::compile_spec {
    constexpr std::string_view names = "addsinsubcos";
    constexpr std::string_view values("\0\1\2\3", 4);
    const auto position = names.find(op.substr(5, 3));
    return {names.substr(position, 3), values.substr(position / 3, 1)};
  }

  static constexpr void tag_data(baton::partition_result& to, const baton::program_view& program) {
    const auto run = program.root().nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) {
      const auto tag = to.tag_of(baton::node_id{n});
      if (tag == baton::none<baton::tag_id>) continue;
      for (const auto input : program.inputs(program.nodes[n])) {
        if (is_owned_data(program[input].kind) && to.tag_of(input) == baton::none<baton::tag_id>) to.tag_value(input, tag);
      }
    }
  }

 public:
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    add<baton::by_support<first_backend_with_preprocess_all, first_operators>>(tagged, program, "first_");
    tag_data(tagged, program);
    add<baton::by_support<second_backend_with_preprocess_all, second_operators>>(tagged, program, "second_");
    return tagged;
  }
};

}  // namespace conformance
