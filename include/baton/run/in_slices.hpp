// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The service of executors that run an inference in slices.
#pragma once

namespace baton {

/// A service that lets an executor run an inference in slices, so that a main loop can do other work between them:
/// `baton::executor<model, baton::in_slices> net;`, then `net.start()`, and `net.step()` while it returns `status::ok`.
///
/// A slice is one node: one call of a kernel or of a delegate, or one branch or loop as a whole. In a segment that is computed row by row
/// (`memory_policies::row_streaming`), a slice is the next rows of one node: one call of its `compute_rows`, or one row of a sum. If nodes
/// are computed together, pixel by pixel, a slice is one row of all of them. The stack keeps nothing between slices. The position is in the
/// executor, or in the methods executor. It takes 4 bytes, and if there are segments, 4 bytes more and 4 bytes for each node of the longest
/// segment.
///
/// The image contains the code of each node once, because `run` without an observer runs all slices.
struct in_slices {};

}  // namespace baton
