// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program, and a kernel list whose header is included only if `FIXED` is defined.
#pragma once

#include <baton/executor.hpp>
#if defined(FIXED)
#include <baton/kernels/cortex_m_kernels.hpp>
#endif

#include "fail/relu_model.hpp"

#if defined(FIXED)
constexpr auto kernels = baton::cortex_m_kernels + baton::portable_kernels;
#else
constexpr auto kernels = baton::cortex_m_kernels;
#endif
