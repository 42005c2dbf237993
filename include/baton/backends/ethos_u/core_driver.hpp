// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arm's driver of the accelerator. The driver is part of the board's software.
#pragma once

#include <baton/backends/ethos_u/driver.hpp>
#include <baton/run/status.hpp>

#if __has_include(<ethosu_driver.h>)
#include <ethosu_driver.h>

namespace baton::ethos_u {

/// Arm's ethos-u-core-driver of 2021 or later. `invoke` reserves an accelerator, runs it, and releases it. If no accelerator is free, the
/// driver's semaphore determines how the call waits. Fails with `not_found` if the driver reserves no accelerator, and with `internal` if
/// the accelerator fails. For data caches, the driver calls `ethosu_flush_dcache` and `ethosu_invalidate_dcache`. The software of a board
/// with data caches must define these two functions. If the linker does not find `ethosu_invoke_v3`, the driver's library is not linked.
struct core_driver {
  static auto invoke(const invocation& call) -> status {
    ethosu_driver* reserved = ethosu_reserve_driver();
    if (reserved == nullptr) return status::not_found;
    const int failed = ethosu_invoke_v3(reserved, call.payload.data(), static_cast<int>(call.payload.size()), call.bases.data(),
                                        call.sizes.data(), static_cast<int>(call.bases.size()), call.user_argument);
    ethosu_release_driver(reserved);
    return failed == 0 ? status::ok : status::internal;
  }
};
static_assert(driver<core_driver>);

}  // namespace baton::ethos_u

#else

namespace baton::ethos_u {

static_assert(false,
              "baton ethos_u: ethosu_driver.h of Arm's driver is not on the include path; add the include folder of "
              "ethos-u-core-driver, and link the driver");

struct core_driver {  // avoids further errors
  static auto invoke(const invocation&) -> status { return status::not_found; }
};

}  // namespace baton::ethos_u

#endif
