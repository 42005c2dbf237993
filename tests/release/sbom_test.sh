#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes bills of materials of small repositories: sh tests/release/sbom_test.sh FOLDER
# shellcheck source=tests/release/expect.sh
. "$(dirname "$0")/expect.sh"

# sbom: writes the bill of materials of the repository $house with its own list of components.
house=$scratch/house
mkdir -p "$house/include/baton/core" "$house/tests" "$house/cmake" "$scratch/archives"
cp "$root/include/baton/core/config.hpp" "$house/include/baton/core"
sbom() { cmake "-DOUTPUT=$scratch/sbom.json" "-DARCHIVES=$scratch/archives" -DCREATED=1700000000 "-DROOT=$house" -P "$root/cmake/sbom.cmake"; }
version=$(cmake -DPRINT=ON -P "$root/cmake/versions.cmake" 2>&1)

echo 'boost/hana/ Boost.Hana BSL-1.0 DEPENDENCY_OF https://example.com/hana' > "$house/cmake/sbom_components.txt"
printf '#include <boost/hana/at.hpp>\n#include <cstdint>\n#include <baton/a.hpp>\n#  include <bits/b.h>\n' > "$house/include/baton/one.hpp"
printf 'of the archive' > "$scratch/archives/baton-bundle-$version.tar.gz"
expect 0 sbom
first=$(cat "$scratch/sbom.json")
expect 0 sbom
expect 0 cat "$scratch/sbom.json"
[ "$said" = "$first" ] || {
  echo "equal repositories have different bills of materials" >&2
  exit 1
}
expect_text '"spdxVersion": "SPDX-2.3"'
expect_text '"created": "2023-11-14T22:13:20Z"'
expect_text "\"versionInfo\": \"$version\""
expect_text '{ "spdxElementId": "SPDXRef-Boost.Hana", "relationshipType": "DEPENDENCY_OF", "relatedSpdxElement": "SPDXRef-Baton" }'
expect_text "$(printf 'of the archive' | sha256sum | cut -d ' ' -f 1)"
if command -v python3 > /dev/null; then expect 0 python3 -m json.tool "$scratch/sbom.json"; fi

# A new dependency without a component, and a component that is not included.
echo '#include <other/thing.hpp>' > "$house/tests/a_test.cpp"
expect 1 sbom
expect_text "these headers belong to no component: <other/thing.hpp>"
rm "$house/tests/a_test.cpp"
echo 'other/ other MIT TEST_DEPENDENCY_OF https://example.com/other' >> "$house/cmake/sbom_components.txt"
expect 1 sbom
expect_text "names other, but no header includes <other/...>"

# This repository.
expect 0 cmake "-DOUTPUT=$scratch/sbom.json" -P "$root/cmake/sbom.cmake"
