# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Trains a digit classifier in PyTorch, quantizes it to int8, and writes, next to this script:
#   digits.pt2           the quantized program, as torch.export.save writes it
#   digits_cortex_m.pte  the same program, lowered by ExecuTorch to its cortex_m operators
#   images.bin           ten held-out images, one of each digit: float32 [1, 1, 8, 8] each
#   scores.bin           the outputs of digits.pt2 in PyTorch for these images: float32 [1, 10] each
#
#   pip install torch==2.15.0 torchao==0.18.0 executorch==1.5.1 tosa-tools==2026.8.0 scikit-learn==1.9.1 numpy==2.4.6
#   python3 examples/digits/export.py
import logging
import os
import pathlib
import sys
import warnings

if os.environ.get("PYTHONHASHSEED") != "0":  # exporters iterate over sets of strings
    os.environ.update(OMP_NUM_THREADS="1", PYTHONHASHSEED="0")
    os.execv(sys.executable, [sys.executable, *sys.argv])
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

from executorch.backends.cortex_m.quantizer.quantizer import CortexMQuantizer  # first, because it registers the operators
import torch
import torch.nn.functional as F
from executorch.backends.cortex_m.edge_compile_config import cortex_m_edge_compile_config
from executorch.backends.cortex_m.passes.cortex_m_pass_manager import CortexMPassManager
from executorch.backends.cortex_m.target_config import CortexM, CortexMTargetConfig
from executorch.exir import to_edge_transform_and_lower
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

HERE = pathlib.Path(__file__).resolve().parent
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)
torch.manual_seed(1)

# Data: 1797 images; pixels in [0, 16] are scaled to [0, 1].
images, labels = load_digits(return_X_y=True)
split = train_test_split(images / 16.0, labels, test_size=0.25, stratify=labels, random_state=1)
train_x, test_x = (torch.tensor(x, dtype=torch.float32).reshape(-1, 1, 8, 8) for x in split[:2])
train_y, test_y = (torch.tensor(y) for y in split[2:])


class Digits(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = torch.nn.Conv2d(8, 16, 3, padding=1)
        self.fc = torch.nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(torch.flatten(x, 1))


def accuracy(run):
    return sum(int(run(x[None]).argmax()) == int(y) for x, y in zip(test_x, test_y)) / len(test_y)


def export(module):
    with torch.no_grad():
        return torch.export.export(module, (test_x[:1].clone(),))  # a copy, because the archive contains the whole storage of the example


model = Digits()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for _ in range(30):
    for batch in torch.randperm(len(train_x)).split(64):
        optimizer.zero_grad()
        F.cross_entropy(model(train_x[batch]), train_y[batch]).backward()
        optimizer.step()
model.eval().requires_grad_(False)
print(f"float accuracy: {accuracy(model):.4f}")

# Quantizes the model: int8 activations with a zero point, int8 weights per channel. The ranges are those of 64 training images.
prepared = prepare_pt2e(export(model).module(check_guards=False), CortexMQuantizer(use_explicit_layout=True))
for image in train_x[:64]:
    prepared(image[None])
program = export(convert_pt2e(prepared))

# Saves the program without stack traces and other records of the export, which no importer needs.
for node in program.graph.nodes:
    for key in ("stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn", "from_node"):
        node.meta.pop(key, None)
torch.export.save(program, HERE / "digits.pt2")
run = torch.export.load(HERE / "digits.pt2").module()
print(f"int8 accuracy:  {accuracy(run):.4f} ({len(test_y)} test images)")

# Lowers the program to ExecuTorch's operators for Cortex-M.
edge = to_edge_transform_and_lower(program, compile_config=cortex_m_edge_compile_config())
passes = CortexMPassManager(edge.exported_program(), target_config=CortexMTargetConfig(cpu=CortexM.M4), use_explicit_layout=True)
edge._edge_programs["forward"] = passes.transform()
(HERE / "digits_cortex_m.pte").write_bytes(edge.to_executorch().buffer)

first = [int((test_y == d).nonzero()[0]) for d in range(10)]
scores = [run(test_x[i][None]) for i in first]
(HERE / "images.bin").write_bytes(test_x[first].numpy().tobytes())
(HERE / "scores.bin").write_bytes(torch.stack(scores).numpy().tobytes())
print("samples predicted:", [int(s.argmax()) for s in scores])
