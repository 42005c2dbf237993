// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A user's test of a backend with the laws of the library: `preprocess` at compile time, `execute` at run time.
#include <baton/laws/backend.hpp>
#include <baton/laws/delegate.hpp>

#include "device.hpp"
#include "switch.hpp"

namespace {

constexpr auto part() -> baton::exported_program {
  constexpr auto scores = baton::tensor(baton::dtype::int8, 8);
  baton::program_builder build;
  build.output(build.call("softmax", "tfl.softmax", {build.user_input("scores", scores)}, scores));
  return build.finish();
}
static_assert(laws::backend::all<device>(part()));
static_assert(laws::backend::accepts_supported_nodes<device, baton::operator_names<"tfl.softmax">>(part()));

}  // namespace

auto device_keeps_the_laws() -> bool {
  device_is_on = true;
  laws::delegate::trial<device> delegate{part()};
  return laws::delegate::all(delegate, {{3, 1, 4, 1, 5, 9, 2, 6}});
}
