// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program as JSON (RFC 8259), for tools; the HTML page reads the same.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/report/detail/json_report.hpp>
#include <baton/report/provenance.hpp>
#include <baton/report/survey.hpp>

namespace baton::report {

/// A program as one JSON object: `baton_report` (1: the version of this form; members may be added), `program`, `file`, `policy` and
/// `target` if `from` has them, and lists whose records refer to one another by position in these lists. Bytes and multiply-adds are those
/// of one run.
/// - `totals`: `nodes` (operations, those in delegates and branches too, calls of delegates not), `delegated`, `delegates`,
///   `multiply_adds`, `delegated_multiply_adds`, `boundary_bytes` (across the borders of delegates, in and out), `blob_bytes`.
/// - `shares`, one a taker: `who`, `is_backend`, and of its operations and delegates what `totals` has, and `output_bytes`.
/// - `reasons`, the costliest first: `operator` (or `backend`, of whose delegates lie between those of another), `reason` if there is
///   one (of several that differ in numbers only, what they have in common, with `texts`, how many they are, and `numbers`, by position in
///   the reason), `nodes`, `multiply_adds`, `keeps_apart` (delegates that begin behind one of these), `keeps_apart_alone`.
/// - `graphs`: `name`, `role` (root, subgraph with `of_node`, original with `of_delegate`), `inputs` (values), `outputs` (`value`,
///   `mutates`).
/// - `values`: `name`, `kind`, `type`, `bytes`.
/// - `nodes`: `name`, `operator`, `graph`, `inputs` (null: left out), `outputs`, `subgraphs`, `attributes` if it has any (by name; bytes as
///   text, each byte the character of its number; infinities and NaN as text), `debug_handle`, `folded_handles` if passes made other
///   nodes one with it, `delegate` if it calls one, `within` if one took it, `computed_by` and `not_delegated` as far as known,
///   `output_bytes`, `constant_bytes`, `multiply_adds`.
/// - `delegates`: `name`, `backend`, `graph`, `blob_bytes`, `scratch_bytes`, `argument_bytes`, `result_bytes`, `multiply_adds`, `nodes`,
///   `border` (why it is one of its own: `kind` first, behind, adjacent, other_specs or apart, see `border_kind`; `follows`, a delegate;
///   `between`, nodes; `text`, the sentence), `debug_map` (`id`, `handles`).
/// - `memory` (null without a plan): `arena_bytes`, `lower_bound`, `is_optimal` (whether it is known that no plan needs less), `order` (the
///   way of placing that won), `alignment`, `steps` (of each step of the root, its nodes), `regions` if the arena is split (`name`,
///   `bytes`, `used`; offsets go on from one to the next), `entries` (`name`; `values`, all that share the place; `nested`, what lies
///   inside these; `node`, if its scratch or the memory of its subgraphs lies there; `offset`, `bytes`, `first` and `last` step; the step
///   after the last node is that of whoever reads the outputs), `graphs` (those that nodes call: `graph`, `bytes`, `lower_bound`,
///   `is_optimal`, `order`, `entries`), `overlaps` (none of a plan in which nothing overlaps: `node`, `output`, `operand`, and `bytes` that
///   both have and whether the output is `written` upward or downward, or `why` they lie apart), `segments` if nodes run by rows (`first`
///   and `last` node, `kept`: of a `value` inside, so many `rows` or `pixels`), `copies` made when graphs are done (`graph`, `node` that
///   called it, `from` and `to`, values, without `to` into memory of its own, `aside`, the copy of the list that is read in the place of
///   `from`, `bytes`, `why`), `proposals` if kernels or backends would have values lie in something else (`node` and `value`, `within` a
///   value or in `scratch_of` a node, `offset`, `why_not` where it does not).
/// Names are whole; the `text` of a border is a sentence for people, which shortens them.
constexpr auto json(const program_view& program, const survey& facts, const memory_plan* plan = nullptr, const provenance& from = {})
    -> text_buffer {
  return detail::json_report(program, facts, plan, from).run();
}

}  // namespace baton::report
