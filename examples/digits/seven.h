/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * The digit seven, which the examples recognize: 8 by 8 pixels, row by row. A blank is a pixel of the background. For C and C++. */
#ifndef SEVEN_H
#define SEVEN_H

static const char drawn_seven[] =
    " 9999999"
    " 9999999"
    "      99"
    "     99 "
    "   99999"
    "    99  "
    "   99   "
    "   99   ";

#endif
