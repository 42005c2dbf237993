// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Simulates the actions of a user. The title of the document then has the result.
const faults = [];
const check = (name, fact) => { if (!fact) faults.push(name); };
const shown = selector => document.querySelectorAll(selector).length;
const took = performance.now(), title = document.title;
check('opens within 2 s: ' + took, took < 2000);
check('1000 nodes', R.totals.nodes === 1000);
check('every node in the list', shown('#rows tr') === 1000 && $('found').textContent === '1000 of 1000');
check('every node in the ribbon', shown('#ribbon i') === 1000);
check('the title is the file', $('name').textContent === 'thousand.tflite');
check('and of the document, too', title === 'thousand.tflite - Baton report');
check('a bar by multiply-adds', shown('#costs i') === R.nodes.filter(n => n.multiply_adds).length && shown('#costs i') > 300);
const widths = [...document.querySelectorAll('#costs i')].map(e => e.getBoundingClientRect().width);
const leftAndWidth = $('costs').getBoundingClientRect();
check('a segment is as wide as its share', Math.abs(widths[0] / leftAndWidth.width - R.nodes[work.find(i => R.nodes[i].multiply_adds)].multiply_adds / R.totals.multiply_adds) < 0.002);
check('a caption and a legend', $('caption').textContent.includes('share of the multiply-adds') && $('caption').textContent.includes('an accelerator') && $('legend').textContent.includes('not delegated') && $('legend').textContent.includes('of all multiply-adds'));
check('cost as heat and in percent', [...$('rows').querySelectorAll('td.heat')].every(cell => cell.textContent === '<1 %' && cell.style.background) && shown('#rows td.heat') === shown('#costs i'));
check('the cost of a part is in the drawing', shown('#scene text.share') === R.nodes.filter(n => n.graph === 0 && shareOf(n)).length && shown('#scene text.share') > 30);
check('the assignment of nodes, in the legend', $('legend').textContent.includes('accelerator: 35 parts, 964 nodes (96 %)') && $('legend').textContent.includes('portable kernels: 36 nodes (4 %)'));
check('adjacent parts are distinguishable in the ribbon', shown('#ribbon i.part') === work.filter((i, at) => at && R.nodes[i].within !== R.nodes[work[at - 1]].within && R.nodes[i].assignee === R.nodes[work[at - 1]].assignee).length);
const folded = drawn.size;
check('delegates are folded', folded === R.nodes.filter(n => n.graph === 0).length);
check('reasons, the costliest first', $('reasons').rows.length === 3 && $('reasons').rows[0].textContent.includes('aten.softmax.int') && $('reasons').rows[0].textContent.includes('33 parts'));
check('the reason for each part', $('separations').rows.length === 35 && $('separations').rows[1].textContent.includes('aten_softmax_int is between it and lowered_module_0: the accelerator has no softmax'));
check('the reason is in the drawing', $('svg').textContent.includes('the accelerator has no softmax') && $('svg').textContent.includes('after aten_softmax_int'));
check('undelegated nodes are distinguishable without colors', shown('.node.undelegated') === R.nodes.filter(n => n.graph === 0 && n.delegate === undefined).length);
const seen = i => { const at = drawn.get(i).box.getBoundingClientRect(), room = $('svg').getBoundingClientRect(); return at.top >= room.top && at.bottom <= room.bottom && at.left >= room.left && at.right <= room.right; };
const key = (element, name, more = {}) => element.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, ...more }));

$('search').value = 'SOFTMAX';
$('search').oninput();
check('the filter finds operators and reasons', $('found').textContent === '33 of 1000');
check('it goes to the first hit', seen(found[0]) && drawn.size === folded);
check('parts without a match are faint', shown('.node.faint') === folded - 33);
key($('search'), 'Enter');
key($('search'), 'Enter');
check('Enter goes to the next', $('found').textContent === '2 of 33' && picked === found[1] && seen(found[1]));
key($('search'), 'Enter', { shiftKey: true });
check('and back', picked === found[0]);
$('search').value = 'aten_mm_default_300';
$('search').oninput();
check('a hit within a closed part: the part is seen', seen(holders(found[0])[0]) && !drawn.has(found[0]));
check('and is not pale', !drawn.get(holders(found[0])[0]).box.classList.contains('faint'));
key($('search'), 'Escape');
check('Escape shows all again', $('found').textContent === '1000 of 1000' && shown('.node.faint') === 0);
$('legend').firstChild.onclick();
check('a backend can be hidden', $('found').textContent === R.totals.nodes - R.totals.delegated + ' of 1000');
$('legend').firstChild.onclick();

const call = R.nodes.find(isCall);
drawn.get(call.index).box.focus();
key(document.activeElement, ' ');
check('a delegate opens from the keyboard', drawn.size === folded + R.delegates[call.delegate].nodes && document.activeElement === drawn.get(call.index).box);
check('and says so', document.activeElement.getAttribute('aria-expanded') === 'true' && document.activeElement.getAttribute('aria-label').includes('lowered_module_0'));
key(document.activeElement, 'ArrowLeft');
check('and closes', drawn.size === folded);
key(drawn.get(call.index).box, 'Enter');
check('Enter picks', picked === call.index && $('details').textContent.includes('separate part'));
const later = R.nodes.find(n => isCall(n) && R.delegates[n.delegate].separation.kind === 'nodes_between');
pick(later.index);
$('details').querySelector('a').onclick(new Event('click'));
check('a node between parts is one click away', picked === R.delegates[later.delegate].separation.between[0]);
check('attributes are shown', $('details').textContent.includes('dim = -1'));

const inner = R.nodes.find(n => n.within !== undefined);
pick(inner.index);
check('picking opens the delegate around it', drawn.has(inner.index) && drawn.size > folded);
check('details with the debug map', $('details').textContent.includes('debug map') && $('details').textContent.includes(inner.name));
check('its row is marked', document.querySelector('tr.pick').dataset.node == inner.index);
const choice = R.nodes.find(n => n.operator === 'cond');
toggle(choice.index);
check('branches fold open', R.nodes.filter(n => choice.subgraphs.includes(n.graph)).every(n => drawn.has(n.index)));
$('unfold').onclick();
check('all open', R.nodes.every(n => drawn.has(n.index)));
const boxes = [...drawn.values()];
check('no box covers another of its size', boxes.every((a, i) => i === 0 || a.x !== boxes[i - 1].x || a.y !== boxes[i - 1].y));

check('no edge runs through a box that it does not belong to', (() => {
  const edges = [...document.querySelectorAll('#scene > .edge')].slice(0, 60), roots = R.nodes.filter(n => n.graph === 0).map(n => [n.index, drawn.get(n.index)]);
  return edges.every(edge => {
    const shift = edge.transform.baseVal[0].matrix;
    return Array.from({ length: 40 }, (_, i) => edge.getPointAtLength(edge.getTotalLength() * i / 40)).every(p => roots.every(([i, at]) => i == edge.dataset.from || i == edge.dataset.to ||
      p.x + shift.e < at.x || p.x + shift.e > at.x + at.w || p.y < at.y || p.y > at.y + at.h));
  });
})());

const scale = view.scale;
$('in').onclick();
check('zooms', view.scale > scale);
const room = $('svg').getBoundingClientRect(), under = () => [(120 - view.x) / view.scale, (90 - view.y) / view.scale], before = under();
$('svg').dispatchEvent(new WheelEvent('wheel', { deltaY: -300, clientX: room.left + 120, clientY: room.top + 90, bubbles: true, cancelable: true }));
check('the wheel zooms about the pointer', view.scale > 1.2 * scale && under().every((at, i) => Math.abs(at - before[i]) < 2 / scale));
const x = view.x;
$('svg').dispatchEvent(new PointerEvent('pointerdown', { clientX: 10, clientY: 10, bubbles: true }));
dispatchEvent(new PointerEvent('pointermove', { clientX: 60, clientY: 10 }));
dispatchEvent(new PointerEvent('pointerup'));
check('pans', view.x === x + 50);

document.querySelector('[data-page=memory]').onclick();
const labels = [...document.querySelectorAll('#memory svg text.in')].map(e => e.textContent);
check('labels in the memory differ', labels.length > 20 && new Set(labels).size === labels.length);
check('the plan says its policy and target', $('memory').textContent.includes('Planned by the policy no_overlap') && $('memory').textContent.includes('for an accelerator'));
check('a bar a memory entry', shown('#memory svg rect') === R.memory.entries.length && R.memory.entries.length > 50);
check('the live values of the peak add up to the lower bound', [...document.querySelector('#memory tbody').rows].reduce((sum, row) => sum + Number(row.cells[2].textContent), 0) === R.memory.lower_bound);
check('a row a copy at the end', R.memory.copies.length > 0 && document.querySelectorAll('#memory tbody')[1].rows.length === R.memory.copies.length);
$('theme').onclick();
const first = getComputedStyle(document.body).backgroundColor;
$('theme').onclick();
check('light and dark', first !== getComputedStyle(document.body).backgroundColor);
document.title = faults.length ? 'FAILED ' + faults.join('; ') : 'PASSED in ' + Math.round(took) + ' ms';
