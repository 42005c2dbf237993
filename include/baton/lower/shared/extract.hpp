// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Cuts a part out of the program that owns it.
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

/// Cuts parts out of one program, one after the other, with tables of the program's size made once.
class part_cutter {
 public:
  constexpr part_cutter(const program_view& program, source_bytes bytes) : program_(program), copier_(program, to_, bytes) {}

  constexpr auto cut(const part_boundary& part) -> result<exported_program> {
    if (part.outputs.empty() && part.mutations.empty()) {
      return with_tag_of(locate(broken<"part_without_outputs">(), program_, part.nodes.front()), program_, part.id.tag);
    }
    to_ = program_builder{};
    copier_.begin_again();
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

/// A part as a program of its own. Placeholders: owned parameters, buffers and constants, then the arguments as user inputs.
/// Outputs: mutations of owned buffers, then what is used outside, flat. Names, debug handles and quantization are those of the owner.
/// With `source_bytes::kept`, texts and data stay where the owner, which must then outlive the part, has them.
/// Errors: `part_without_outputs`.
constexpr auto extract(const program_view& program, const part_boundary& part, source_bytes bytes = source_bytes::copied)
    -> result<exported_program> {
  return detail::part_cutter(program, bytes).cut(part);
}

}  // namespace baton
