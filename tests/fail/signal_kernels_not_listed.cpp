// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton missing_kernel: no kernel or backend computes this node; add a kernel, or delegate the node
// EXPECT: tfl.custom.SignalFilterBankSquar
// EXPECT: baton::signal_kernels, from
// EXPECT: baton/kernels/signal_kernels.hpp
#include <baton/executor.hpp>
#if defined(FIXED)
#include <baton/kernels/signal_kernels.hpp>
#endif

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::uint64, 4));
  const auto shift = build.user_input("shift", baton::tensor(baton::dtype::int32, 1));
  build.output(build.call("tfl.custom.SignalFilterBankSquareRoot", {x, shift}, baton::tensor(baton::dtype::uint32, 4)));
  return build.finish();
}};

#if defined(FIXED)
baton::executor<model, baton::with_kernels<baton::portable_kernels + baton::signal_kernels>> net;
#else
baton::executor<model> net;
#endif

void infer() { net.run(); }
