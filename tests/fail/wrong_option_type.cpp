// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E57
// EXPECT: baton option: an option of this type is not supported; use bool, int, std::string_view or const char*
#include <baton/compat/executorch/option_set.hpp>

#if defined(FIXED)
using value_type = int;
#else
using value_type = float;
#endif

constexpr baton::option_set<1> options{baton::option{"threads", 4}};
static_assert(options.get<value_type>("threads").value == 4);
