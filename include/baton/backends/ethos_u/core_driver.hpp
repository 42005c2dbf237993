// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arm's driver of the accelerator, as the board's software has it.
#pragma once

#include <baton/backends/ethos_u/driver.hpp>
#include <baton/run/status.hpp>

#if __has_include(<ethosu_driver.h>)
#include <ethosu_driver.h>

namespace baton::ethos_u {

/// Arm's ethos-u-core-driver, of 2021 and later: it takes a free accelerator (and waits for one, as its semaphores do), runs, and gives it
/// back. The driver sees to data caches by `ethosu_flush_dcache` and `ethosu_invalidate_dcache`, which the board's software defines where
/// there are any. A linker that does not find `ethosu_invoke_v3` from here lacks that library.
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
              "baton ethos_u: ethosu_driver.h of Arm's driver is not on the include path; add its folder in ethos-u-core-driver, and link "
              "the driver");

struct core_driver {  // so that nothing else is said
  static auto invoke(const invocation&) -> status { return status::not_found; }
};

}  // namespace baton::ethos_u

#endif
