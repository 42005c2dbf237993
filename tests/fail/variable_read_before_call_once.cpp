// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton missing_kernel: no kernel or backend computes this node; add a kernel, or delegate the node
// EXPECT: the variable stream is read
// EXPECT: before call_once sets its
// EXPECT: in the file, move call_once
// EXPECT: before all reads
#include <baton/executor.hpp>

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::int8, 4);
#if defined(FIXED)
  build.output(build.user_input("x", type));
#else
  const auto stream = build.call("tfl.var_handle", {}, baton::tensor(baton::dtype::resource), {{"shared_name", "stream"}});
  build.output(build.call("tfl.read_variable", {stream}, type));
  build.call_many("once", "tfl.call_once", {}, {});
#endif
  return build.finish();
}};

baton::executor<model> net;
