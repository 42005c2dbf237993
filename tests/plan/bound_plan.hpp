// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plans a program whose tensors are in buffers of the caller.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/shared/bound_tensors.hpp>
#include <baton/plan/shared/chosen_policy.hpp>

namespace bound_plan {

template <class... Kernels>
auto plan_execution(baton::kernel_list<Kernels...> list, const baton::program_view& program, const baton::plan_options& options,
                    const baton::chosen_policy& policy, const baton::detail::bound_tensors& bound) -> baton::result<baton::execution_plan> {
  return baton::detail::plan_execution(list, program, options, {}, {.policy = policy, .bound = bound});
}

}  // namespace bound_plan
