// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The service of executors that run an inference in slices.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// A service that lets an executor run an inference in slices, so that a main loop can do other work between slices:
/// `baton::executor<model, baton::in_slices> net;`, then `net.start()`, and `net.step()` while it returns `status::ok`.
///
/// A slice is the work of one call of `step`. Usually, a slice is one node: one call of a kernel or of a delegate, or one branch or loop as
/// a whole. In a segment (consecutive nodes that run row by row, see `stream_segment`), a slice is one call of `compute_rows` for one node.
/// For a node that sums rows, such as a mean over an image, a slice adds one operand row to the sums. If several nodes are computed
/// together, pixel by pixel, a slice is one row of all these nodes. Nothing stays on the stack between slices. The executor, or the methods
/// executor, stores the position of the inference, in 4 bytes. In a program with segments, the position takes 4 more bytes, and 4 bytes for
/// each node of the segment with the most nodes.
///
/// With `limits::slice_instructions` of the service `within`, or with `in_slices::of`, a node outside of segments may be cut into several
/// slices. The node must be in the root graph. Its kernel must declare windows (the operand rows that an output row depends on, see
/// `row_window`), or chunks (small parts of a node's output, see `kernel_facts::chunks`). Each slice computes the next output rows of the
/// node, or the next chunks. Chunks are used if the node has no rows, if slices of rows would be too long, or if slices of chunks cost
/// less. If an operand overlaps the output, a node with rows is cut only into rows. If the node must write its output in descending order
/// because of the overlap, the slices begin with the last rows. A node without rows that must write in descending order is not cut. A node
/// is not cut either if it copies nothing, such as a reshape in place, or if the kernel declares no distance for the overlap
/// (`min_distance`). If nodes are cut, the position takes at least 12 bytes. `report::limits_table` lists the slices of each node.
///
/// The firmware contains the code of each node only once: `run` without an observer runs the slices of `step`.
struct in_slices {
  /// The same service, with a limit that needs no cost table: `baton::executor<model, baton::in_slices::of<50'000>>`. A node outside of
  /// segments is cut into slices of at most `MaxOperations` operations. A slice exceeds this limit only if the node cannot be cut, or if
  /// one chunk or `kernel_facts::rows_per_step` rows exceed the limit. The number of operations of a node is the number of its
  /// multiply-adds plus the number of its output elements. If `limits::slice_instructions` is also set, both limits apply. Fails at compile
  /// time if `MaxOperations` is 0.
  template <std::uint64_t MaxOperations>
  struct of {};
};

}  // namespace baton
