// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a user does with the page; the last line of the document says how it went.
const faults = [];
const check = (what, fact) => { if (!fact) faults.push(what); };
const shown = selector => document.querySelectorAll(selector).length;
const took = performance.now();
check('opens within 2 s: ' + took, took < 2000);
check('1000 operations', R.totals.nodes === 1000);
check('every operation in the list', shown('#rows tr') === 1000 && $('found').textContent === '1000 of 1000');
check('every operation in the ribbon', shown('#ribbon i') === 1000);
check('who computes what, in the legend', $('legend').textContent.includes('accelerator (') && $('legend').textContent.includes('portable kernels ('));
const folded = drawn.size;
check('delegates are folded', folded === R.nodes.filter(n => n.graph === 0).length);
check('reasons, the most frequent first', $('reasons').rows.length === 2 && $('reasons').rows[0].textContent.includes('softmax'));

$('search').value = 'SOFTMAX';
$('search').oninput();
check('the filter finds operators and reasons', $('found').textContent === '33 of 1000');
$('search').value = '';
$('search').oninput();
$('legend').firstChild.onclick();
check('a backend can be hidden', $('found').textContent === R.totals.nodes - R.totals.delegated + ' of 1000');
$('legend').firstChild.onclick();

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
check('no box lies on another of its size', boxes.every((a, i) => i === 0 || a.x !== boxes[i - 1].x || a.y !== boxes[i - 1].y));

const scale = view.scale;
$('in').onclick();
check('zooms', view.scale > scale);
const x = view.x;
$('svg').dispatchEvent(new PointerEvent('pointerdown', { clientX: 10, clientY: 10, bubbles: true }));
dispatchEvent(new PointerEvent('pointermove', { clientX: 60, clientY: 10 }));
dispatchEvent(new PointerEvent('pointerup'));
check('pans', view.x === x + 50);

document.querySelector('[data-page=memory]').onclick();
check('a bar a memory entry', shown('#memory svg rect') === R.memory.entries.length && R.memory.entries.length > 50);
$('theme').onclick();
const first = getComputedStyle(document.body).backgroundColor;
$('theme').onclick();
check('light and dark', first !== getComputedStyle(document.body).backgroundColor);
document.title = faults.length ? 'FAILED ' + faults.join('; ') : 'PASSED in ' + Math.round(took) + ' ms';
