# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests readme.cmake on small repositories: a valid one, and one for each fault that it must detect.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(house "${SCRATCH}/readme_test")
string(REPEAT "`" 3 fence)
set(block "<!-- compiled: examples/01.cpp -->\n${fence}cpp\nint x;\n${fence}\n")
set(drawing "<!-- rooms -->\n${fence}mermaid\ngraph LR\n  graph_[\"graph\"] --> core\n  run --> core & graph_\n${fence}\n")
set(links "[core](docs/core.md) [graph](docs/graph.md) [run](docs/run.md)\n")

# expect(<README.md> <text>): tests that the check passes if <text> is "passes", and otherwise that it fails with this text. docs/core.md
# also has the text `more`.
set(more "")
set(example "int x;\n")
function(expect readme text)
  file(REMOVE_RECURSE "${house}")
  file(WRITE "${house}/cmake/rooms.txt" "core:\ngraph: core\nrun: core graph\n")
  foreach(room IN ITEMS core graph run)
    file(WRITE "${house}/docs/${room}.md" "${room}, see [README](../README.md)\n")
  endforeach()
  file(APPEND "${house}/docs/core.md" "${more}")
  file(WRITE "${house}/examples/01.cpp" "${example}")
  file(WRITE "${house}/README.md" "${readme}")
  baton_expect(readme "${house}" "${text}" ${ARGN})
endfunction()

expect("# House\n${block}${drawing}${links}" "passes")
expect("# House\n${fence}cpp\nint x;\n${fence}\n${drawing}${links}" "there is no line `<!-- compiled:")
string(REPLACE "int x" "int y" other "${block}")
expect("# House\n${other}${drawing}${links}" "examples/01.cpp does not contain these lines")
string(REPLACE "01.cpp" "02.cpp" other "${block}")
expect("# House\n${other}${drawing}${links}" "there is no examples/02.cpp")
expect("# House\n${drawing}${links}[gone](docs/gone.md)\n" "README.md: there is no docs/gone.md")
expect("# House\n${drawing}${links}`run/gone.hpp`\n" "README.md: there is no header run/gone.hpp")
expect("# House\n${drawing}[core](docs/core.md) [graph](docs/graph.md)\n" "README.md does not link docs/run.md")
string(REPLACE " & graph_" "" other "${drawing}")
expect("# House\n${other}${links}" "README.md: the drawing differs")
string(REPEAT "\n" 200 lines)
expect("# House\n${drawing}${links}${lines}" "move details to docs/")

# Parts and outputs. Each call writes the example again.
set(example "int y;\n// [part]\nint x;\n// [part]\n\n// Output:\n// a [1]; b\n//\n// c\n")
set(parts "<!-- compiled: examples/01.cpp#part -->\n${fence}cpp\nint x;\n${fence}\n<!-- output: examples/01.cpp -->\n${fence}text\na [1]; b\n\nc\n${fence}\n")
expect("# House\n${parts}${drawing}${links}" "passes")
string(REPLACE "int x" "int y" other "${parts}")
expect("# House\n${other}${drawing}${links}" "README.md: a block differs from compiled: examples/01.cpp#part")
expect("# House\n${other}${drawing}${links}" "passes" -DWRITE=ON)
file(READ "${house}/README.md" actual)
if(NOT actual STREQUAL "# House\n${parts}${drawing}${links}")
  message(FATAL_ERROR "the check must rewrite the part and keep the rest, but writes:\n${actual}")
endif()
string(REPLACE "; b" "; d" other "${parts}")
expect("# House\n${other}${drawing}${links}" "README.md: a block differs from examples/01.cpp")
string(REPLACE "#part" "#parts" other "${parts}")
expect("# House\n${other}${drawing}${links}" "README.md: there is no compiled: examples/01.cpp#parts")
string(REPLACE "output: examples/01" "output: examples/02" other "${parts}")
expect("# House\n${other}${drawing}${links}" "README.md: there is no examples/02.cpp")
set(example "int x;\n")

# Tables list only public headers. A sentence may also name shared/ and detail/.
set(more "Sorting is in `core/shared/`, sums in `core/detail/`.\n\n| header | what |\n|---|---|\n| `core/` | all |\n")
expect("# House\n${block}${drawing}${links}" "passes")
foreach(folder IN ITEMS shared detail)
  set(more "| header | what |\n|---|---|\n| `core/tensor.hpp`, `core/${folder}/` | sorting |\n")
  expect("# House\n${block}${drawing}${links}" "docs/core.md: a table lists a header that is not public: | `core/tensor.hpp`, `core/${folder}/`")
endforeach()
set(more "")

# The check accepts its own drawing.
string(REPLACE " & graph_" "" other "${drawing}")
expect("# House\n${other}${links}more\n" "passes" -DWRITE=ON)
file(READ "${house}/README.md" actual)
if(NOT actual STREQUAL "# House\n${drawing}${links}more\n")
  message(FATAL_ERROR "the check must rewrite the drawing and keep the rest, but writes:\n${actual}")
endif()
