// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: the member forms is not a list of kernels; write: using forms = baton::kernel_list<my_other_kernel>, where each type of the list is a kernel
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
#if defined(FIXED)
  using forms = baton::kernel_list<baton::archetypes::kernel>;
#else
  using forms = baton::archetypes::kernel;
#endif
};

constexpr auto list = baton::kernels<copy>;
