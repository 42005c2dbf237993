// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arm's CMSIS-NN as a backend.
#pragma once

#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/run/executor_backend.hpp>

namespace baton::cmsis_nn {

/// A backend whose parts run with `cmsis_nn_kernels`, in the executor's arena. Usually, the inputs and outputs of a part share
/// memory with values outside the part, so they are not copied. Calls of the library cannot fail, because nodes that the library could
/// refuse are not assigned to a part. Use the backend to choose between CMSIS-NN and other kernels by cost (`measured_costs.hpp`). To use
/// CMSIS-NN for all supported nodes, do not use the backend; put `cmsis_nn_kernels` before the executor's other kernels.
using backend = kernel_backend<"CmsisNn", cmsis_nn_kernels>;

/// An operator support that supports a node if one of `cmsis_nn_kernels` supports the node.
using support = kernel_support<cmsis_nn_kernels>;

/// A partitioner that assigns all supported nodes to CMSIS-NN, with their weights.
using partitioner = with_constants<by_support<backend, support>>;

}  // namespace baton::cmsis_nn
