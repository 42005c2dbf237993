// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Two linked files include the library. So a definition that is not inline would be a duplicate.
#include <baton/baton.hpp>

#include <cstdio>
#ifdef HAS_BATON_CMAKE
#include "bytes.bin.hpp"
#include "models.hpp"
static_assert(sizeof(bytes_bin) == 264);
#endif

int version_of_other_file();
auto device_keeps_the_laws() -> bool;

int main() {
  std::printf("baton %d.%d.%d\n", baton::version_major, baton::version_minor, baton::version_patch);
#ifdef HAS_BATON_CMAKE
  if (!portable_is_right()) return 1;
#endif
#ifdef HAS_ALL_MODELS
  if (!lowered_is_right() || !state_is_right() || !custom_format_is_right() || !onnx_format_is_right()) return 1;
  if (!device_keeps_the_laws()) return 1;
#endif
  return version_of_other_file() == baton::version_major * 100 + baton::version_minor ? 0 : 1;
}
