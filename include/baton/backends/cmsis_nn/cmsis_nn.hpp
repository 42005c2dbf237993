// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arm's CMSIS-NN as a backend.
#pragma once

#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/run/executor_backend.hpp>

namespace baton::cmsis_nn {

/// A backend whose parts run with `cmsis_nn_kernels`, in the executor's arena: nothing is copied where a part begins, and no call can fail,
/// since what the library could refuse is refused when parts are made. Beside other kernels, to be chosen by cost (`measured_costs.hpp`);
/// who wants all that it supports, may as well put `cmsis_nn_kernels` before the executor's own.
using backend = kernel_backend<"CmsisNn", cmsis_nn_kernels>;

/// What it takes: the nodes that one of its kernels supports.
using support = kernel_support<cmsis_nn_kernels>;

/// Gives it all of them, with their weights.
using partitioner = with_constants<by_support<backend, support>>;

}  // namespace baton::cmsis_nn
