// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A partitioner whose parts have their constants, for backends that look at weights when they preprocess.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/partitioner.hpp>

namespace baton {

/// A partitioner that does as another one does, and gives each part the parameters, constants and unchanging buffers of the root graph that
/// its nodes use (`tag_constant_data`): `baton::with_constants<my_partitioner>`. Without it they are arguments of the call, of which a
/// backend knows the types alone. Errors: the partitioner's own.
template <partitioner Partitioner>
struct with_constants : Partitioner {
  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> made = Partitioner::partition(program);
    if (made) static_cast<void>(tag_constant_data(made.value, program));
    return made;
  }
};

}  // namespace baton
