// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: processed_bytes_alignment is not a constant power of two; write: static constexpr std::size_t processed_bytes_alignment = 64;
// EXPECT: baton not_a_backend: argument_alignment is not a constant power of two; write: static constexpr std::uint32_t argument_alignment = 64;
// EXPECT: baton not_a_backend: overread_bytes is not a constant number of bytes; write: static constexpr std::uint32_t overread_bytes = 64;
// EXPECT: baton not_a_backend: runs_original is not a constant bool; write: static constexpr bool runs_original = true;
// EXPECT: baton not_a_backend: kernels is not a list; write: static constexpr auto kernels = baton::kernels<my_kernel>;
// LINES: 45
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
#if defined(FIXED)
  static constexpr std::size_t processed_bytes_alignment = 32;
  static constexpr std::uint32_t argument_alignment = 32;
  static constexpr std::uint32_t overread_bytes = 64;
  static constexpr bool runs_original = false;
#else
  static constexpr std::size_t processed_bytes_alignment = 24;
  static constexpr const char* argument_alignment = "32";
  static constexpr const char* overread_bytes = "64";
  static constexpr auto runs_original() -> bool { return false; }
  static constexpr int kernels = 0;
#endif
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<>> net;

void infer() { static_cast<void>(net.run()); }
