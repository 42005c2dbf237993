# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Gathers and slices at computed positions, conversions between space and batch, mirrored padding, and shapes."""

from nodes import Family, Tensor, constant, options, schema

family = Family(__file__)


def gather(name, dtype, shape, where, out, high, **more):
    family.add(f"gather_{name}", "GATHER", [Tensor(dtype, shape), Tensor("int32", where, values=(0, high))], [Tensor(dtype, out)],
               options=options("Gather", **more))


gather("int8", "int8", [4, 3], [5], [5, 3], 3)
gather("float32", "float32", [4, 3], [2, 2], [2, 2, 3], 3)
gather("axis_1", "int8", [2, 4, 3], [2], [2, 2, 3], 3, axis=1)
gather("axis_negative", "int8", [2, 4, 3], [2], [2, 4, 2], 2, axis=-1)
gather("batches", "int8", [2, 3, 2], [2, 4], [2, 4, 2], 2, axis=1, batchDims=1)
gather("batches_negative", "int8", [2, 3, 2], [2, 4], [2, 4, 2], 2, axis=1, batchDims=-1)
gather("batches_outer", "float32", [2, 2, 3], [2, 2], [2, 2, 2], 2, axis=2, batchDims=1)
gather("scalar", "int8", [4, 3], [], [3], 3)

for dtype in ("int8", "float32"):
    family.add(f"gather_nd_{dtype}", "GATHER_ND", [Tensor(dtype, [3, 4]), Tensor("int32", [3, 2], values=(0, 2))], [Tensor(dtype, [3])])
family.add("gather_nd_rows", "GATHER_ND", [Tensor("int8", [3, 4, 2]), Tensor("int32", [2, 2, 1], values=(0, 2))],
           [Tensor("int8", [2, 2, 4, 2])])
family.add("gather_nd_one", "GATHER_ND", [Tensor("int8", [3, 3, 2]), Tensor("int32", [2], values=(0, 2))], [Tensor("int8", [2])])

for dtype, out, quant in (("int8", "int8", {"scale": 0.1}), ("float32", "float32", {}), ("int8", "float32", {"scale": 0.013})):
    table = Tensor(dtype, [5, 3], **quant).random(__import__("numpy").random.default_rng(4))
    family.add(f"embedding_lookup_{dtype}_{out}", "EMBEDDING_LOOKUP", [Tensor("int32", [4], values=(0, 4)), constant(dtype, table, **quant)],
               [Tensor(out, [4, 3], **({} if out == "float32" else quant))])

for dtype in ("int8", "int16", "int32", "float32"):
    family.add(f"dynamic_update_slice_{dtype}", "DYNAMIC_UPDATE_SLICE",
               [Tensor(dtype, [4, 5]), Tensor(dtype, [2, 3]), Tensor("int32", [2], values=(-2, 6))], [Tensor(dtype, [4, 5])], runs=3)
family.add("slice_run_time", "SLICE", [Tensor("int8", [4, 5]), Tensor("int32", [2], values=(0, 2)), constant("int32", [2, 3])],
           [Tensor("int8", [2, 3])], runs=3)
family.add("dynamic_update_slice_whole", "DYNAMIC_UPDATE_SLICE",
           [Tensor("int8", [2, 3]), Tensor("int8", [2, 3]), Tensor("int64", [2], values=(-2, 6))], [Tensor("int8", [2, 3])])

# Without padding, because TensorFlow Lite Micro leaves padded elements uninitialized.
for dtype in ("int8", "float32"):
    family.add(f"space_to_batch_{dtype}", "SPACE_TO_BATCH_ND",
               [Tensor(dtype, [2, 4, 6, 2]), constant("int32", [2, 3]), constant("int32", [[0, 0], [0, 0]])], [Tensor(dtype, [12, 2, 2, 2])],
               runs=1)
    family.add(f"batch_to_space_{dtype}", "BATCH_TO_SPACE_ND",
               [Tensor(dtype, [12, 2, 2, 2]), constant("int32", [2, 3]), constant("int32", [[1, 0], [0, 2]])], [Tensor(dtype, [2, 3, 4, 2])],
               runs=1)
    family.add(f"space_to_batch_rank_3_{dtype}", "SPACE_TO_BATCH_ND",
               [Tensor(dtype, [1, 8, 3]), constant("int32", [2]), constant("int32", [[0, 0]])], [Tensor(dtype, [2, 4, 3])], runs=1)
    family.add(f"batch_to_space_rank_3_{dtype}", "BATCH_TO_SPACE_ND",
               [Tensor(dtype, [2, 4, 3]), constant("int32", [2]), constant("int32", [[1, 2]])], [Tensor(dtype, [1, 5, 3])], runs=1)
    for mode in (0, 1):
        family.add(f"mirror_pad_{dtype}_{mode}", "MIRROR_PAD", [Tensor(dtype, [3, 4]), constant("int32", [[2, 1], [0, 3]])],
                   [Tensor(dtype, [6, 7])], options=options("MirrorPad", mode=mode), runs=1)
family.add("mirror_pad_rank_4", "MIRROR_PAD", [Tensor("int8", [1, 3, 2, 3]), constant("int64", [[0, 0], [1, 2], [1, 1], [0, 0]])],
           [Tensor("int8", [1, 6, 4, 3])], options=options("MirrorPad", mode=0), runs=1)

family.add("shape", "SHAPE", [Tensor("int8", [2, 3, 1])], [Tensor("int32", [3])], options=options("Shape", outType=schema.TensorType.INT32),
           runs=1)
for dtype in ("int32", "int64"):
    family.add(f"broadcast_args_{dtype}", "BROADCAST_ARGS", [constant(dtype, [5, 1, 3]), constant(dtype, [2, 1])], [Tensor(dtype, [3])], runs=1)
for dtype in ("int8", "int16", "float32"):
    family.add(f"squeeze_{dtype}", "SQUEEZE", [Tensor(dtype, [1, 3, 1, 2])], [Tensor(dtype, [3, 2])], options=options("Squeeze", squeezeDims=[]),
               runs=1)
    family.add(f"expand_dims_{dtype}", "EXPAND_DIMS", [Tensor(dtype, [3, 2]), constant("int32", [1])], [Tensor(dtype, [3, 1, 2])], runs=1)
family.add("squeeze_some", "SQUEEZE", [Tensor("int8", [1, 3, 1, 2])], [Tensor("int8", [1, 3, 2])], options=options("Squeeze", squeezeDims=[-2]),
           runs=1)
family.add("expand_dims_last", "EXPAND_DIMS", [Tensor("int8", [3, 2]), constant("int32", -1)], [Tensor("int8", [3, 2, 1])], runs=1)
family.add("reshape_run_time", "RESHAPE", [Tensor("int8", [3, 4]), Tensor("int32", [2], values=(2, 2))], [Tensor("int8", [2, 6])],
           data=[[list(range(12)), [2, 6]]])
