// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton ethos_u: Arm's driver must be on the include path; ethosu_driver.h is not; add the folder of ethos-u-core-driver that has it, and link the driver
#if defined(FIXED)
#include <baton/backends/ethos_u/driver.hpp>
#else
#include <baton/backends/ethos_u/core_driver.hpp>
#endif
