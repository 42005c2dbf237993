// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The one header that users include: every room's faces in order. What stands in a room's `detail/` and `shared/` comes with what needs
// it; `core/query.hpp` (range-v3), the signal, Cortex-M and Helium kernels, `compat/` and `backends/` are included by who wants them.
#pragma once

// Before those that include it, so that the way to its messages is short.
#include <baton/core/affine.hpp>
#include <baton/core/rules.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/config.hpp>
#include <baton/core/decimal.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/then.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>

#include <baton/graph/adjacency.hpp>
#include <baton/graph/components.hpp>
#include <baton/graph/copy.hpp>
#include <baton/graph/cycle.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/identical.hpp>
#include <baton/graph/minimum_cut.hpp>
#include <baton/graph/order.hpp>

// Before those that include it, so that the way to its messages is short.
#include <baton/operators/inference.hpp>

#include <baton/operators/find_definition.hpp>
#include <baton/operators/flexbuffer.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/verify.hpp>

#include <baton/import/byte_reader.hpp>
#include <baton/import/default_importers.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/importers.hpp>
#include <baton/import/read_model.hpp>
#include <baton/import/tflite.hpp>
#include <baton/import/tflite_choices.hpp>

#include <baton/transform/dead_channels.hpp>
#include <baton/transform/default_passes.hpp>
#include <baton/transform/fold_constants.hpp>
#include <baton/transform/fold_padding.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/pass_list.hpp>
#include <baton/transform/remove_no_ops.hpp>
#include <baton/transform/rewriter.hpp>
#include <baton/transform/transform.hpp>

// Before those that include it, so that the way to its messages is short.
#include <baton/partition/operator_support.hpp>

#include <baton/partition/by_config.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_pattern.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_facts.hpp>
#include <baton/partition/partition_result.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/pattern_match.hpp>
#include <baton/partition/split_cycles.hpp>

// Before those that include it, so that the way to its messages is short.
#include <baton/backend/named_data.hpp>

#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/backend/blob_words.hpp>
#include <baton/backend/call_slots.hpp>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/packed_constant.hpp>
#include <baton/backend/scratch_places.hpp>
#include <baton/backend/translation_table.hpp>

#include <baton/lower/contracts.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/preprocess_is_constant.hpp>
#include <baton/lower/program_named_data.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/lower/verdicts.hpp>

#include <baton/kernel/kernel.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/nesting.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernel/row_window.hpp>

#include <baton/plan/arena.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/placing.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/schedule_policy.hpp>
#include <baton/plan/state_sharing.hpp>
#include <baton/plan/storage_map.hpp>

#include <baton/run/backend_life.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>
#include <baton/run/blob.hpp>
#include <baton/run/caller_arena.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/events.hpp>
#include <baton/run/executor_backend.hpp>
#include <baton/run/part_call.hpp>
#include <baton/run/profiler.hpp>
#include <baton/run/quantize.hpp>
#include <baton/run/run_failure.hpp>
#include <baton/run/status.hpp>
#include <baton/run/tensor_info.hpp>
#include <baton/run/with_options.hpp>

#include <baton/kernels/declared_kernels.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/kernels/window.hpp>

#include <baton/executor.hpp>

#include <baton/report/compile_error.hpp>
#include <baton/report/graphviz.hpp>
#include <baton/report/html.hpp>
#include <baton/report/json.hpp>
#include <baton/report/printable.hpp>
#include <baton/report/provenance.hpp>
#include <baton/report/summary.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>
#include <baton/report/verdict_reasons.hpp>
