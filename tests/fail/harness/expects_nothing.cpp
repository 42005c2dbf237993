// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: no line `// EXPECT: <sentence>`
// A test must expect a message.

#ifndef FIXED
static_assert(false);
#endif

int main() {}
