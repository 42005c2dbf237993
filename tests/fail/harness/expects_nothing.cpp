// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: no line `// EXPECT: <sentence>`
// A test that states nothing proves nothing.

#ifndef FIXED
static_assert(false);
#endif

int main() {}
