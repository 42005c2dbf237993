#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2317 # functions that are called by name
#
# Tests inspect.sh and run_model.sh: outputs, exit statuses, and one line for a file that is not a model. The compiler is $CXX or g++.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=examples/expect.sh
. "$root/examples/expect.sh"
trap 'rm -rf "$work" "$root/build/run_model/${model%.tflite}" "$root/build/run_model/broken" "$root/build/run_model/projection" "$root/build/check_model/two_methods" "$root/build/check_model/rows"' EXIT
one_line() { [ "$(wc -l < err)" = 1 ] && [ ! -s out ]; }

program="$root/build/run_model/${model%.tflite}/program"

for backend in portable npu; do
  expect 0 "a model, $backend" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --backend $backend
  check "its output, $backend" cmp output.bin expected.bin
  rm -f output.bin
  expect 0 "its program, $backend" "$program" input.bin output.bin --repeat 3
  check "the program's output, $backend" cmp output.bin expected.bin
done
expect 0 "ten inferences in one file" "$program" "$digits/samples.bin" output.bin --repeat 2
check "the outputs of all" cmp output.bin "$digits/expected.bin"
head -c 100 "$digits/samples.bin" > uneven.bin
expect 1 "an input that is too long for one inference, too short for two" "$program" uneven.bin output.bin
check "one line for it" one_line
expect 1 "an input that is not there" "$program" missing.bin output.bin
check "one line for it" one_line

# lacking NAME PATTERN: writes the compiler NAME, which simulates a missing header or library. The compiler fails if its standard input
# matches PATTERN, and ignores arguments that match PATTERN.
lacking() {
  cat > "$1" << EOF
#!/bin/sh
for word in "\$@"; do
  shift
  case \$word in $2) ;; *) set -- "\$@" "\$word" ;; esac
  if [ "\$word" = - ]; then
    cat > "$work/stdin"
    case \$(cat "$work/stdin") in $2) exit 1 ;; esac
  fi
done
exec ${CXX:-g++} "\$@" < "$work/stdin"
EOF
  : > "$work/stdin"
  chmod +x "$1"
}
if echo '#include <xnnpack.h>' | ${CXX:-g++} -E -x c++ - > /dev/null 2>&1; then
  expect 0 "a model, xnnpack" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --backend xnnpack
  check "its output, xnnpack" cmp output.bin expected.bin
  lacking cxx-without-library '-lXNNPACK'
  expect 1 "a library that is not linked" env CXX="$work/cxx-without-library" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --backend xnnpack
  check "its sentence" grep -q '^the linker does not find xnn_[a-z_0-9]*, which a backend calls: its library is not linked' err
fi
lacking cxx-without-header '*xnnpack.h*'
expect 1 "a header that is not there" env CXX="$work/cxx-without-header" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --backend xnnpack
check "its sentence" grep -q '^xnnpack needs xnnpack.h, which .* does not find; install it (apt-get install libxnnpack-dev libpthreadpool-dev)$' err
check "one line for it" one_line
lacking cxx-without-boost '*boost/hana*'
expect 1 "Boost.Hana that is not there" env CXX="$work/cxx-without-boost" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --repeat 2 --signature nobody
check "its sentence" grep -q 'cxx-without-boost does not find boost/hana.hpp; install it (apt-get install libboost-dev), or set CPATH to the folder of boost/$' err
check "one line for it" one_line
for old in g++-11 clang++-14; do
  command -v $old > /dev/null || continue
  expect 1 "the compiler $old" env CXX=$old sh "$root/examples/run_model.sh" "$model" input.bin output.bin
  check "its sentence" grep -q "^$old: Baton needs C++20 and GCC 12 or Clang 16" err
  check "one line for it" one_line
done
expect 2 "wrong usage" sh "$root/examples/run_model.sh" "$model" input.bin
expect 2 "an unknown backend" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --backend gpu

expect 0 "inspecting" sh "$root/examples/inspect.sh" "$model" --partitioner npu
check "node assignment" grep -q '^node assignment: 6 of 7 nodes delegated, in 1 part$' out
check "why not" grep -q '^      no translation of tfl.softmax$' out
check "partition" grep -q '^partition: 6 of 7 nodes delegated, in 1 part$' out
check "the table of nodes" grep -q '^ *total  ' out
expect 0 "inspecting a model that Vela compiled" sh "$root/examples/inspect.sh" "$root/examples/ethos_u/mixed_vela.tflite" --partitioner ethos_u
check "the nodes of the accelerator" grep -q '^node assignment: 2 of 6 nodes delegated, in 2 parts$' out
check "why the other nodes are not delegated" grep -q '^      it is not a custom operator ethos-u, which Vela generates for the accelerator$' out
expect 1 "inspecting it for another accelerator" sh "$root/examples/inspect.sh" "$root/examples/ethos_u/digits_u65_vela.tflite" --partitioner ethos_u
check "how to compile it" grep -q 'its commands are for ethos-u65-256, but the backend is for ethos-u55-128' err
expect 1 "running it here" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --backend ethos_u
check "why not" grep -q '^a program for ethos_u does not run here: ' err
for format in text json dot html; do
  expect 0 "inspecting as $format" sh "$root/examples/inspect.sh" --format $format "$model" --partitioner npu -o report.$format
  check "a report as $format, and no other output" [ -s report.$format -a ! -s out ]
done
check "JSON has the totals" grep -q '"totals": {"nodes": 7, "delegated": 6, "delegates": 1,' report.json
check "the page contains its data" grep -q '"baton_report": 1,' report.html
check "its title is the model's file" grep -qF "\"file\": \"$model\", \"policy\": \"no_overlap\", \"target\": \"portable kernels and npu\"," report.html
expect 0 "planning by a policy" sh "$root/examples/inspect.sh" "$model" --policy no_reuse
check "its name" grep -q '^planned by the policy no_reuse, for portable kernels$' out
expect 1 "an unknown policy" sh "$root/examples/inspect.sh" "$model" --policy smallest
check "one line for it" one_line
expect 1 "an unknown format" sh "$root/examples/inspect.sh" "$model" --format png
check "one line for it" one_line
expect 1 "an ETRecord for a model of another format" sh "$root/examples/inspect.sh" "$model" --etrecord "$model"
check "one line for it" one_line
expect 0 "options before the model, with an equals sign" sh "$root/examples/inspect.sh" --partitioner=npu --format=json -o=report.equal "$model"
check "the same report" cmp report.json report.equal
expect 0 "asking for help" sh "$root/examples/inspect.sh" --help
check "how to use it" grep -q '^usage: ' out
expect 2 "an unknown word" sh "$root/examples/inspect.sh" "$model" --colour
check "its name" grep -q '^there is no option --colour; usage: ' err
expect 2 "an option without its value" sh "$root/examples/inspect.sh" "$model" --format
check "one line for it" one_line
expect 2 "two models" sh "$root/examples/inspect.sh" "$model" other.tflite
check "one line for it" one_line
expect 2 "no model" sh "$root/examples/inspect.sh" --format html
check "one line for it" one_line
expect 1 "a folder that is not there" sh "$root/examples/inspect.sh" "$model" -o nowhere/report.txt
check "its name" grep -q '^cannot write nowhere/report.txt: ' err
expect 1 "a report that cannot be written" sh "$root/examples/inspect.sh" "$model" -o .
check "one line for it" one_line
expect 1 "an unknown signature" sh "$root/examples/inspect.sh" "$model" --signature nobody
check "one line for it" one_line
check "its name" grep -q 'there is no entry point nobody; there are:' err
expect 1 "a signature with characters of the shell" sh "$root/examples/run_model.sh" "$model" input.bin output.bin --signature '$(nobody)'
check "one line for it" one_line
expect 1 "an unknown partitioner" sh "$root/examples/inspect.sh" "$model" --partitioner gpu
check "one line for it" one_line

: > empty.tflite
head -c 5000 "$model" > broken.tflite
for bad in empty.tflite broken.tflite missing.tflite .; do
  expect 1 "inspecting $bad" sh "$root/examples/inspect.sh" "$bad"
  check "one line for $bad" one_line
done
expect 1 "a damaged model" sh "$root/examples/run_model.sh" broken.tflite input.bin output.bin
check "its sentence" grep -q '^baton damaged_model: a model file is truncated or damaged' err
check "no program" [ ! -e "$root/build/run_model/broken/program" ]

# A quantized ONNX model, y = relu(x · w), whose rows have a symbolic number. A file beside it contains w: {1, -1}, {2, 1}.
cp "$root/tests/consume/projection.onnx" "$root/tests/consume/weights.bin" .
printf '\0\0\200\077\0\0\0\077\0\0\0\0\0\0\200\077' > rows.bin # 1 0.5, 0 1
printf '\0\0\0\100\0\0\0\0\0\0\0\100\0\0\200\077' > sums.bin     # 2 0, 2 1
expect 0 "inspecting an ONNX model" sh "$root/examples/inspect.sh" projection.onnx --dimension rows=2
check "its layer on integers" grep -q 'baton.fully_connected *int8\[2,2\]' out
check "its nodes on integers" grep -q '^nodes that compute on integers: 1 (1 baton.fully_connected)$' out
check "its nodes in float32" grep -q '^nodes that compute in float32: none$' out
check "its operators in the file" grep -q 'onnx.MatMul *float32\[2,2\] float32\[2,2\]' out
softmax=$root/../shared/formats/pt2_resnet_mini_int8/model.pt2
if [ -e "$softmax" ]; then
  expect 0 "inspecting a program of torch.export" sh "$root/examples/inspect.sh" "$softmax"
  check "its nodes on integers" grep -q '^nodes that compute on integers: [0-9]* (3 baton.add, .*9 baton.conv_2d, ' out
  check "why a node computes in float32" grep -q '^  softmax (tfl.softmax): its operator has no quantized form$' out
  check "the nodes of a line" sh -c "grep -A 1 -x '  nets.py:124, in forward: return F.relu(y + s)' out | grep -qx '    add add_1 add_2'"
  expect 0 "the same as JSON" sh "$root/examples/inspect.sh" "$softmax" --format json
  check "the reason" grep -q '"name": "softmax", .*"float_reason": "its operator has no quantized form"' out
fi
exported=$root/../shared/formats/pt2_digits_cnn_fp32/model.pt2
if [ -e "$exported" ]; then
  LC_ALL=C sed 's/torch.ops.aten.relu.default/torch.ops.aten.rely.default/' "$exported" > unknown.pt2
  expect 1 "an operator without a rule" sh "$root/examples/inspect.sh" unknown.pt2
  check "the line of its node" grep -qF '; node relu comes from nets.py:60, in forward: x = F.max_pool2d(F.relu(self.conv1(x)), 2)' err
fi
expect 2 "a dimension without a size" sh "$root/examples/inspect.sh" projection.onnx --dimension rows
check "one line for it" one_line
expect 1 "a dimension that the model does not have" sh "$root/examples/inspect.sh" projection.onnx --dimension columns=2
check "its name" grep -q 'no input has a dimension columns' err
for command in inspect.sh "run_model.sh input.bin output.bin"; do
  # shellcheck disable=SC2086 # a list of words
  set -- $command
  tool=$1
  shift
  expect 1 "a dimension of a model without dimensions, $tool" sh "$root/examples/$tool" "$model" "$@" --dimension rows=2
  check "its sentence" grep -qx 'a model of TensorFlow Lite or ExecuTorch has no symbolic dimensions: rows' err
done
expect 0 "an ONNX model" sh "$root/examples/run_model.sh" projection.onnx rows.bin output.bin --dimension rows=2
check "its output" cmp output.bin sums.bin
expect 1 "a dimension without a size" sh "$root/examples/run_model.sh" projection.onnx rows.bin output.bin --dimension rows
check "its sentence" grep -q '^write a dimension as NAME=SIZE, not rows$' err
rm weights.bin
for command in inspect.sh "run_model.sh rows.bin output.bin"; do
  # shellcheck disable=SC2086 # a list of words
  set -- $command
  tool=$1
  shift
  expect 1 "a file with tensors that is not there, $tool" sh "$root/examples/$tool" projection.onnx "$@"
  check "one line for it" one_line
  check "its name" grep -q '^cannot read weights.bin, which contains tensors of ' err
done

# A bundled program of ExecuTorch. The second case of `encode` has a wrong output.
expect 1 "recorded cases" sh "$root/examples/run_model.sh" "$root/tests/consume/two_methods.bpte" --check
check "a case of a method" grep -q '^decode 0: as recorded, 24 elements$' out
check "a case of another method" grep -q '^encode 0: as recorded, 6 elements$' out
check "a wrong output" grep -q '^encode 1: different, 6 elements; output 0: 1 of 6 elements differ, at most element 0: ' out
check "all of them" grep -q '^2 of 3 recorded cases have the recorded outputs (rtol 1e-05, atol 1e-08)$' out
expect 0 "tolerances" sh "$root/examples/run_model.sh" "$root/tests/consume/two_methods.bpte" --check --atol 0.6
expect 2 "a tolerance without --check" sh "$root/examples/run_model.sh" "$model" in out --rtol 0.1
expect 1 "recorded cases of other sizes" sh "$root/examples/run_model.sh" "$root/tests/consume/rows.bpte" --check
check "a smaller size, with the state of the case before" grep -q '^forward 1: as recorded, 6 elements$' out
check "the state passes a case that is not run" grep -q '^forward 3: as recorded, 10 elements$' out
check "a size above the bound" grep -qF 'forward 2: not run; input 0 is float32[9,2]; the program has float32[8,2] in memory' out
expect 0 "inspecting a program of ExecuTorch" sh "$root/examples/inspect.sh" "$root/tests/consume/two_methods.bpte"
check "the memory of a method" \
  grep -q '^  decode: ExecuTorch 1184; Baton 1184 for the imported values, 128 for the lowered values, 128 with scratch$' out
check "the memory of all methods" grep -q '^  all methods: ExecuTorch 1888, each in its own memory; Baton 128 in one arena$' out
# An ETRecord of its method `decode`. The first instruction has operators of two lines, and the last one has none.
expect 0 "its lines of Python" \
  sh "$root/examples/inspect.sh" "$root/tests/consume/two_methods.bpte" --etrecord "$root/tests/consume/two_methods.etrecord"
sed -n '/^lines of Python/,/^$/p' out > lines
cat > expected_lines << 'END'
lines of Python and their nodes:
  /home/user/model.py:14, in decode: y = self.first(x)
    decode_node_0
  /home/user/model.py:15, in decode: return self.second(y)
    decode_node_0 decode_node_1
  unknown
    decode_node_2

END
check "each with its nodes" cmp lines expected_lines
# An ETDump of three runs of `decode`, which ExecuTorch 1.5.1 wrote.
expect 0 "the times that ExecuTorch measured" sh "$root/examples/inspect.sh" "$root/tests/consume/two_methods.bpte" \
  --etrecord "$root/tests/consume/two_methods.etrecord" --etdump "$root/tests/consume/two_methods.etdump"
sed -n '/^times that/,/^$/p' out > lines
cat > expected_lines << 'END'
times that ExecuTorch measured, in ticks of its clock, means of 3 runs:
       ticks   share  instruction and its nodes
       26463   3.0 %  0  decode_node_0 (aten.permute_copy.out)
                          /home/user/model.py:14, in decode: y = self.first(x)
                          /home/user/model.py:15, in decode: return self.second(y)
        4038   0.5 %  1  decode_node_1 (aten.permute_copy.out)
                          /home/user/model.py:15, in decode: return self.second(y)
      860140  96.4 %  2  decode_node_2 (aten.addmm.out)
      892417 100.0 %  the whole run

END
check "each with its nodes and lines" cmp lines expected_lines
expect 1 "a file that is no ETDump" \
  sh "$root/examples/inspect.sh" "$root/tests/consume/two_methods.bpte" --etdump "$root/tests/consume/two_methods.etrecord"
check "its sentence" grep -q 'two_methods.etrecord: .*the file has no identifier ED00' err
expect 1 "times of another format" sh "$root/examples/inspect.sh" "$model" --etdump "$root/tests/consume/two_methods.etdump"
check "its sentence" grep -q '^--etdump needs a program of ExecuTorch (.pte)$' err
expect 1 "an ETRecord without the method" \
  sh "$root/examples/inspect.sh" "$root/tests/consume/two_methods.bpte" --signature encode --etrecord "$root/tests/consume/two_methods.etrecord"
check "its sentence" grep -q 'two_methods.etrecord: .*there is edge_dialect_exported_program/decode' err
expect 1 "a model without recorded cases" sh "$root/examples/run_model.sh" "$model" --check
check "its sentence" grep -q ' has no recorded cases; --check needs a bundled program of ExecuTorch (.bpte)$' err

# Replaces softmax by local_response_normalization, which has no kernel. The operator code occurs twice in the file, as one byte and as four
# bytes.
cp "$model" broken.tflite
for at in 10371 10360; do
  check "the code of softmax at byte $at of the digits model (after a new training, update the offset)" \
    [ "$(od -An -tu1 -j $at -N 1 broken.tflite | tr -d ' ')" = 25 ]
  printf '\015' | dd of=broken.tflite bs=1 seek=$at conv=notrunc 2> /dev/null
done
for backend in portable npu; do
  expect 1 "an operator without a kernel, $backend" sh "$root/examples/run_model.sh" broken.tflite input.bin output.bin --backend $backend
  check "its sentence" grep -q '^baton missing_kernel: no kernel or backend computes this node' err
  check "its node" grep -q '^node [0-9]* "local_response_normalization", operator tfl.local_response_normalization: no kernel in the list' err
  sed -n 's/^(to list the operators, and why they are not delegated: \(.*\))$/\1/p' err > look.sh
  check "where to look, from here" sh -c 'sh look.sh | grep -q local_response_normalization'
done

# Also replaces both convolutions by scatter_nd, which has no kernel and no shape inference. One message names both operators.
for at in 10460 10471; do
  check "the code of conv_2d at byte $at of the digits model" [ "$(od -An -tu1 -j $at -N 1 broken.tflite | tr -d ' ')" = 3 ]
  printf '\172' | dd of=broken.tflite bs=1 seek=$at conv=notrunc 2> /dev/null
done
expect 1 "two operators without a kernel" sh "$root/examples/run_model.sh" broken.tflite input.bin output.bin
check "both of them" grep -q '^node 0 "scatter_nd", operator tfl.scatter_nd: .*; 3 nodes have no kernel: tfl.scatter_nd (2), tfl.local_response_normalization (1)$' err

# A compiler with a low limit. GCC limits operations, Clang steps.
case $(${CXX:-g++} --version) in
  *clang*) few=-fconstexpr-steps=9000 more=-fconstexpr-steps=2000000000 allowed="9000 steps" ;;
  *) few=-fconstexpr-ops-limit=40000 more="-fconstexpr-ops-limit=2000000000 -fconstexpr-loop-limit=2000000000" allowed="40000 operations" ;;
esac
expect 1 "a model too large" env "CXX=${CXX:-g++} $few" sh "$root/examples/run_model.sh" "$model" input.bin output.bin
check "its size, and the limit" grep -q "^the model is too large for the compiler: .* its 7 nodes takes more than $allowed in one constant expression; raise the limit: " err
check "the way out" grep -Fq "raise the limit: put CXX='${CXX:-g++} $more' before the same command" err
exit $failed
