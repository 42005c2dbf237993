# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
import digits

seven = (
    " 9999999"
    " 9999999"
    "      99"
    "     99 "
    "   99999"
    "    99  "
    "   99   "
    "   99   "
)
print(digits.classify(bytes(0 if pixel == " " else 255 for pixel in seven)))
