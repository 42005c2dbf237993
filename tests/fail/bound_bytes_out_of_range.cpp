// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: bound_input_bytes or bound_output_bytes names a tensor that the program does not have; indices begin at 0
#include "fail/bound_net.hpp"

#if defined(FIXED)
char input[decltype(net)::bound_input_bytes<0>];
#else
char input[decltype(net)::bound_input_bytes<5> + 1];
#endif
