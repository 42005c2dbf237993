// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/baton.hpp>

int version_of_other_file();

int version_of_other_file() { return baton::version_major * 100 + baton::version_minor; }
