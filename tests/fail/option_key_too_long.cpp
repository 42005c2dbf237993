// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton option_key: the key of an option has more than 63 characters; shorten it
#include <baton/compat/executorch/option_set.hpp>

#if defined(FIXED)
constexpr baton::option threads{"threads", 4};
#else
constexpr baton::option threads{"the_number_of_threads_that_the_backend_may_use_while_it_executes_a_call", 4};
#endif
