// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton ethos_u: ethosu_driver.h of Arm's driver is not on the include path; add the include folder of ethos-u-core-driver, and link the driver
#if defined(FIXED)
#include <baton/backends/ethos_u/driver.hpp>
#else
#include <baton/backends/ethos_u/core_driver.hpp>
#endif
