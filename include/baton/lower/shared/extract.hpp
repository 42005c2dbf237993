// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Extracts a part (the nodes of a graph that become one delegate) from the program that contains it.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>

#include <cstddef>

namespace baton {

namespace detail {

/// An extractor of parts from a program. Tables of O(program size) are computed once for all parts.
class part_cutter {
 public:
  constexpr part_cutter(const program_view& program, source_bytes bytes) : program_(program), copier_(program, to_, bytes) {}

  constexpr auto cut(const part_boundary& part) -> result<exported_program> {
    if (part.outputs.empty() && part.mutations.empty()) {
      return with_tag_of(locate(broken<"part_without_outputs">(), program_, part.nodes.front()), program_, part.id.tag);
    }
    to_ = program_builder{};
    copier_.reset();
    for (const auto owned : part.owned) copier_.copy_input(owned);
    for (const auto argument : part.arguments) {
      auto record = copier_.record_of(argument);
      record.kind = value_kind::user_input;
      record.data = {};
      record.target = {};
      copier_.replace(argument, to_.add_input(record));
    }
    for (const auto id : part.nodes) copier_.copy_node(id);
    for (std::size_t i = 0; i < part.mutations.size(); ++i) {
      to_.add_output({output_kind::buffer_mutation, copier_.copy_of(part.mutations[i]), copier_.copy(part.mutated[i])});
    }
    for (const auto output : part.outputs) to_.output(copier_.copy_of(output));
    return to_.finish();
  }

 private:
  program_view program_;
  program_builder to_;
  program_copier copier_;
};

}  // namespace detail

/// Returns a part as a program. The placeholders of this program are the parameters, buffers and constants that the part owns, then the
/// arguments as user inputs. The outputs of this program are the mutations (new values) of owned buffers, then the values that are used
/// outside the part. Names, debug handles (the numbers that identify nodes of the model) and quantization are taken from `program`. With
/// `source_bytes::kept`, texts and data are not copied, and `program` must outlive the returned program. Fails with `part_without_outputs`
/// if the part has neither outputs nor mutations.
constexpr auto extract(const program_view& program, const part_boundary& part, source_bytes bytes = source_bytes::copied)
    -> result<exported_program> {
  return detail::part_cutter(program, bytes).cut(part);
}

}  // namespace baton
