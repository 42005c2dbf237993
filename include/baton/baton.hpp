// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The one header that users include: every room in order. `core/query.hpp` (range-v3) and `backends/` are included by who wants them.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/config.hpp>
#include <baton/core/control_flow.hpp>
#include <baton/core/copy.hpp>
#include <baton/core/decimal.hpp>
#include <baton/core/error.hpp>
#include <baton/core/identical.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/nested_graphs.hpp>
#include <baton/core/print.hpp>
#include <baton/core/print_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/sha256.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/type_name.hpp>
#include <baton/core/verdict.hpp>
#include <baton/core/verify.hpp>

#include <baton/import/byte_reader.hpp>
#include <baton/import/flatbuffer.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/tflite.hpp>
#include <baton/import/tflite_attributes.hpp>
#include <baton/import/tflite_options.hpp>
#include <baton/import/tflite_reading.hpp>
#include <baton/import/tflite_schema.hpp>
#include <baton/import/tflite_slots.hpp>

#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/costs.hpp>
#include <baton/partition/device_parts.hpp>
#include <baton/partition/minimum_cut.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/tagging.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <baton/lower/assemble.hpp>
#include <baton/lower/backend.hpp>
#include <baton/lower/backends.hpp>
#include <baton/lower/check_parts.hpp>
#include <baton/lower/constant_sharing.hpp>
#include <baton/lower/contracted_graph.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/delegate_mapping.hpp>
#include <baton/lower/inspection.hpp>
#include <baton/lower/lower_by_id.hpp>
#include <baton/lower/lowered_module.hpp>
#include <baton/lower/lowering_stages.hpp>
#include <baton/lower/lowering_steps.hpp>
#include <baton/lower/part.hpp>
#include <baton/lower/placed_module.hpp>
#include <baton/lower/print_mapping.hpp>
#include <baton/lower/standalone_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/lower/verify_mapping.hpp>

#include <baton/plan/arena.hpp>
#include <baton/plan/device.hpp>
#include <baton/plan/graph_calls.hpp>
#include <baton/plan/lifetime.hpp>
#include <baton/plan/lifetime_index.hpp>
#include <baton/plan/placing.hpp>

#include <baton/run/backend_needs.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/execution_plan.hpp>
#include <baton/run/executor_backend.hpp>
#include <baton/run/graph_runner.hpp>
#include <baton/run/kernel.hpp>
#include <baton/run/load_options.hpp>
#include <baton/run/option_set.hpp>
#include <baton/run/places.hpp>
#include <baton/run/signature.hpp>
#include <baton/run/static_execution.hpp>
#include <baton/run/status.hpp>

#include <baton/kernels/channels.hpp>
#include <baton/kernels/convolution.hpp>
#include <baton/kernels/depthwise.hpp>
#include <baton/kernels/elementwise.hpp>
#include <baton/kernels/executor.hpp>
#include <baton/kernels/fully_connected.hpp>
#include <baton/kernels/geometry.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/pooling.hpp>
#include <baton/kernels/products.hpp>
#include <baton/kernels/quantized.hpp>
#include <baton/kernels/reshape.hpp>
#include <baton/kernels/softmax.hpp>
#include <baton/kernels/window.hpp>

#include <baton/report/assignment.hpp>
#include <baton/report/compile_error.hpp>
#include <baton/report/delegated_graph.hpp>
#include <baton/report/delegation.hpp>
#include <baton/report/graphviz.hpp>
#include <baton/report/html.hpp>
#include <baton/report/html_page.hpp>
#include <baton/report/html_script.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>
#include <baton/report/work.hpp>
