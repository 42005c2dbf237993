// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The part of the HTML page's script that reads the embedded JSON and fills the header, the lists and the memory plan. The script uses no
// library and no network.
#pragma once

#include <baton/core/config.hpp>

namespace baton::report::detail {

inline constexpr char html_script[] = R"page(
'use strict';
const R = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const palette = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#ee7733', '#009988'];
const count = n => n.toLocaleString('en').replace(/,/g, ' ');
const short = (n, unit = '') => (n < 1e4 ? count(n) + ' ' : n < 1e6 ? (n / 1e3).toFixed(1) + ' k' : n < 1e9 ? (n / 1e6).toFixed(1) + ' M' : (n / 1e9).toFixed(2) + ' G') + unit;
// Shortens texts that are too long: `fitted` keeps the end, `begun` the beginning.
const maxChars = width => Math.floor(width / 6.6);
const fitted = (text, width) => text.length <= maxChars(width) ? text : '…' + text.slice(text.length - maxChars(width) + 1);
const brief = name => name.split(';')[0];
const begun = (text, width) => text.length <= maxChars(width) ? text : text.slice(0, maxChars(width) - 1) + '…';
const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');
const make = (tag, attributes = {}, ...inner) => {
  const svg = ['svg', 'g', 'rect', 'path', 'text', 'line'].includes(tag);
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...inner);
  return e;
};

// The backend or the kernels that compute each node.
const backends = [...new Set(R.delegates.map(d => d.backend))];
const assigneeOf = n => n.delegate !== undefined ? R.delegates[n.delegate].backend : n.within !== undefined ? R.delegates[n.within].backend
  : n.computed_by || (backends.length ? 'not delegated' : 'not assigned');
const others = [...new Set(R.nodes.map(assigneeOf))].filter(t => !backends.includes(t));
const colours = {};
backends.forEach((b, i) => colours[b] = palette[i % palette.length]);
others.forEach(o => colours[o] = o === 'no kernel' ? '#b42318' : '#9aa4b2');
const isCall = n => n.delegate !== undefined;
R.nodes.forEach((n, i) => { n.index = i; n.assignee = assigneeOf(n); });
const producer = [];
R.nodes.forEach(n => n.outputs.forEach(v => producer[v] = n.index));
const graphNodes = R.graphs.map(() => []);
R.nodes.forEach(n => graphNodes[n.graph].push(n));
const isData = v => ['parameter', 'buffer', 'constant', 'external_constant'].includes(R.values[v].kind);
// A user input of a delegate's graph gets the kind of its argument if the argument is a parameter, a buffer or a constant.
R.nodes.filter(isCall).forEach(n => R.graphs[R.delegates[n.delegate].graph].inputs.filter(v => R.values[v].kind === 'user_input')
  .forEach((v, i) => { if (n.inputs[i] != null && isData(n.inputs[i])) R.values[v].kind = R.values[n.inputs[i]].kind; }));
const innerGraphs = n => isCall(n) ? [R.delegates[n.delegate].graph] : n.subgraphs || [];
const typeOf = n => n.outputs.map(v => R.values[v].type).join(' ');
// The nodes in execution order. The nodes of a delegate replace its call.
const work = [], visited = new Set();
function visit(g) {
  if (visited.has(g)) return;
  visited.add(g);
  graphNodes[g].forEach(n => { if (!isCall(n)) work.push(n.index); innerGraphs(n).forEach(visit); });
}
R.graphs.forEach((graph, g) => visit(g));
// The names of delegates are unique only within a graph.
const callOf = [];
R.nodes.forEach(n => { if (isCall(n)) callOf[n.delegate] = n; });
const partName = d => R.delegates[d].name + (callOf[d] && callOf[d].graph !== 0 ? ' of ' + R.graphs[callOf[d].graph].name : '');
const nodeName = n => isCall(n) ? partName(n.delegate) : n.name;
// A short reason why a delegate is a separate part.
const partReason = n => {
  const { kind, between } = R.delegates[n.delegate].separation;
  return kind === 'nodes_between' ? 'after ' + nodeName(R.nodes[between[0]]) + (between.length > 1 ? ' and ' + (between.length - 1) + ' more' : '')
    : kind === 'adjacent' ? 'separated by the partitioner' : kind === 'different_specs' ? 'different compile specs' : kind === 'independent' ? 'independent of earlier parts' : '';
};
// The nodes that enclose a node, innermost first. They must be open to show the node.
const holders = i => {
  const found = [];
  for (let g = R.graphs[R.nodes[i].graph]; g.role !== 'root';) {
    const holder = g.role === 'subgraph' ? g.of_node : callOf[g.of_delegate]?.index ?? -1;
    if (holder < 0 || found.includes(holder)) break;
    found.push(holder);
    g = R.graphs[R.nodes[holder].graph];
  }
  return found;
};

// The head of the page: a summary. A share below the total is never shown as 100 %.
const T = R.totals;
const percent = (a, b) => !b ? '-' : a === b ? '100 %' : a && a / b < 0.005 ? '<1 %' : a / b >= 0.995 ? '>99 %' : Math.round(100 * a / b) + ' %';
$('name').textContent = R.file || R.program;
document.title = $('name').textContent + ' - Baton report';
// The cost of a node: its multiply-adds, including the graphs that it calls. The heat color of the most expensive node is red.
const costOf = n => isCall(n) ? R.delegates[n.delegate].multiply_adds : n.multiply_adds + innerGraphs(n).reduce((sum, g) => sum + graphNodes[g].reduce((all, inner) => all + costOf(inner), 0), 0);
const shareOf = n => costOf(n) ? percent(costOf(n), T.multiply_adds) : '';
const hottest = Math.max(1, ...work.map(i => R.nodes[i].multiply_adds));
const heat = at => `hsl(${54 - 50 * at} 92% ${90 - 26 * at}%)`;
const heatOf = n => heat(Math.min(1, costOf(n) / hottest));
const facts = [[T.delegated + ' of ' + T.nodes, 'nodes delegated'], [percent(T.delegated_multiply_adds, T.multiply_adds), 'of ' + short(T.multiply_adds) + ' multiply-adds'],
  [T.delegates, T.delegates === 1 ? 'part' : 'parts'], [short(T.boundary_bytes, 'B'), 'across part boundaries'], [short(T.processed_bytes, 'B'), 'of processed bytes']];
if (R.memory) facts.push([count(R.memory.arena_bytes) + ' B', 'arena (lower bound ' + count(R.memory.lower_bound) + ')']);
facts.forEach(([b, t]) => $('facts').append(make('span', {}, make('b', {}, String(b)), ' ' + t)));
work.forEach((i, at) => {
  const n = R.nodes[i], before = R.nodes[work[at - 1]];
  const begins = before && before.assignee === n.assignee && before.within !== n.within;
  const add = (bar, style, isPart) => {
    const cell = make('i', { style: 'background:' + colours[n.assignee] + style, class: isPart ? 'part' : '' });
    cell.onclick = () => pick(i);
    hover(cell, () => describe(n));
    $(bar).append(cell);
  };
  add('ribbon', '', begins);
  if (n.multiply_adds) add('costs', ';flex-grow:' + n.multiply_adds, begins);
});
$('costs').classList.toggle('few', work.length <= 200);
if (!T.multiply_adds) document.querySelectorAll('.costs').forEach(e => e.hidden = true);
const hidden = new Set();
[...backends, ...others].forEach(t => {
  const share = R.shares.find(s => s.computed_by === t) || R.shares.find(s => !s.computed_by);
  const parts = [plural(share.nodes, 'node') + ' (' + percent(share.nodes, T.nodes) + ')', short(share.multiply_adds) + ' multiply-adds (' + percent(share.multiply_adds, T.multiply_adds) + ')'];
  if (share.is_backend) parts.unshift(plural(share.delegates, 'part')), parts.push(short(share.boundary_bytes, 'B') + ' across boundaries');
  const key = make('button', { title: 'show or hide in the list', 'aria-pressed': 'true' }, make('span', { class: 'dot', style: 'background:' + colours[t] }), make('b', {}, t), ': ' + parts.join(', '));
  key.onclick = () => { hidden.has(t) ? hidden.delete(t) : hidden.add(t); key.classList.toggle('off'); key.setAttribute('aria-pressed', !hidden.has(t)); list(); };
  $('legend').append(key);
});
const legend = (...inner) => $('legend').append(make('span', { class: 'mark' }, ...inner));
if (backends.length && others.length) legend(make('span', { class: 'dashes' }), 'not delegated');
if (T.multiply_adds) legend('cost 0 %', make('span', { class: 'scale', style: `background:linear-gradient(90deg,${heat(0)},${heat(0.5)},${heat(1)})` }), percent(hottest, T.multiply_adds) + ' of all multiply-adds');
$('caption').textContent = 'The nodes in execution order, colored by backend or kernels.' + (T.multiply_adds ? ' Upper bar: the width of a node is its share of the multiply-adds. Lower bar: all nodes have the same width.' : '')
  + (R.target ? ' Target: ' + R.target + '.' : '');

function hover(element, text) {
  element.addEventListener('mousemove', event => {
    const tip = $('tip');
    tip.textContent = text();
    tip.style.display = 'block';
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
    tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
    event.stopPropagation();
  });
  element.addEventListener('mouseleave', () => $('tip').style.display = 'none');
}
function describe(n) {
  const lines = [n.name + '  ' + n.operator, typeOf(n)];
  if (isCall(n)) {
    const d = R.delegates[n.delegate];
    lines.splice(0, 1, partName(n.delegate));
    lines.push('assigned to ' + d.backend + ': ' + plural(d.nodes, 'node') + (costOf(n) ? ', ' + shareOf(n) + ' of the multiply-adds' : '') + ', processed bytes ' + count(d.processed_bytes) + ' B, scratch ' + count(d.scratch_bytes) + ' B', 'separate part: ' + d.separation.text);
  } else {
    lines.push('assigned to: ' + n.assignee);
    if (n.not_delegated) lines.push('not delegated: ' + n.not_delegated);
    if (n.float_reason) lines.push('computes in float32: ' + n.float_reason);
    if (costOf(n)) lines.push(count(costOf(n)) + ' multiply-adds, ' + shareOf(n) + ' of the total');
  }
  return lines.join('\n');
}

// Selects a node in the list, the drawing and the details.
let picked;
function mark(i) {
  document.querySelectorAll('.pick').forEach(e => e.classList.remove('pick'));
  drawn.get(i)?.box.classList.add('pick');
  document.querySelectorAll(`.edge[data-from="${i}"],.edge[data-to="${i}"]`).forEach(e => e.classList.add('pick'));
  document.querySelectorAll(`tr[data-node="${i}"]`).forEach(e => e.classList.add('pick'));
}
function pick(i, move = true) {
  picked = i;
  const closed = holders(i).filter(h => !open.has(h));
  closed.forEach(h => open.add(h));
  if (closed.length) draw();
  mark(i);
  details(R.nodes[i]);
  document.querySelector(`#rows tr[data-node="${i}"]`)?.scrollIntoView({ block: 'nearest' });
  if (move) centre(i);
}
// Runs `does` if the user clicks the row, or presses Enter while it has the focus.
function act(row, does) {
  row.tabIndex = 0;
  row.onclick = does;
  row.onkeydown = event => { if (event.key === 'Enter') does(); };
  return row;
}
const link = (text, i) => { const a = make('a', { tabindex: 0 }, text); a.onclick = event => { event.stopPropagation(); pick(i); }; a.onkeydown = event => { if (event.key === 'Enter') { event.stopPropagation(); pick(i); } }; return a; };
const rows = (pairs, body = make('tbody')) => { pairs.forEach(([k, v]) => body.append(make('tr', {}, make('th', {}, k), make('td', {}, v)))); return make('table', {}, body); };
const links = nodes => make('div', {}, ...nodes.flatMap((i, at) => [at ? ', ' : '', link(nodeName(R.nodes[i]), i)]));
function details(n) {
  const valueText = v => v === null ? 'omitted' : R.values[v].name + '  ' + R.values[v].type + (isData(v) ? '  (' + R.values[v].kind + ', ' + count(R.values[v].bytes) + ' B)' : '');
  const lines = list => make('div', {}, ...list.flatMap(v => [valueText(v), make('br')]));
  const pairs = [['node', n.name], ['operator', n.operator], ['assigned to', n.assignee], ['inputs', lines(n.inputs)], ['outputs', lines(n.outputs)], ['debug handle', [n.debug_handle, ...(n.folded_handles || []).map(h => h + ' (folded)')].join(', ')]];
  if (n.attributes) pairs.splice(-1, 0, ['attributes', make('div', {}, ...Object.entries(n.attributes).flatMap(([k, v]) => [k + ' = ' + JSON.stringify(v), make('br')]))]);
  if (n.float_reason) pairs.splice(3, 0, ['computes in float32', n.float_reason]);
  if (n.not_delegated) pairs.splice(3, 0, ['not delegated', n.not_delegated]);
  if (costOf(n)) pairs.push(['multiply-adds', count(costOf(n)) + ', ' + shareOf(n) + ' of the total']);
  const page = $('details');
  page.replaceChildren(make('h2', {}, 'Node ' + n.name), rows(pairs.slice(1)));
  const which = n.delegate ?? n.within;
  if (which === undefined) return;
  const d = R.delegates[which], facts = [['separate part', d.separation.text]];
  if (d.separation.between.length) facts.push(['nodes between', links(d.separation.between)]);
  page[isCall(n) ? 'prepend' : 'append'](make('h2', {}, partName(which) + ' (' + d.backend + ')'), rows([...facts, ['nodes', links(graphNodes[d.graph].map(inner => inner.index))], ['processed bytes', count(d.processed_bytes) + ' B'], ['scratch', count(d.scratch_bytes) + ' B'],
    ['inputs', count(d.argument_bytes) + ' B per call'], ['outputs', count(d.result_bytes) + ' B per call'], ['multiply-adds', count(d.multiply_adds)],
    ['debug map', make('div', {}, ...d.debug_map.flatMap(e => [e.id + ' → ' + e.handles.join(', '), make('br')]))]]));
}

// The list and its filter. The drawing fades each node that neither matches nor contains a match.
let found = [], hit = -1;
const isFiltered = () => Boolean($('search').value || hidden.size);
function list() {
  const want = $('search').value.toLowerCase(), body = $('rows');
  const matches = n => !hidden.has(n.assignee) && (n.name + ' ' + n.operator + ' ' + n.assignee + ' ' + (n.within !== undefined ? partName(n.within) : '') + ' ' + (n.not_delegated || '') + ' ' + typeOf(n)).toLowerCase().includes(want);
  body.replaceChildren();
  found = work.filter(i => matches(R.nodes[i]));
  hit = -1;
  const at = new Map(work.map((i, place) => [i, place]));
  found.forEach(i => {
    const n = R.nodes[i], below = n.within !== undefined ? partName(n.within) : n.not_delegated || '';
    body.append(act(make('tr', { 'data-node': i }, make('td', { class: 'n' }, String(at.get(i))), make('td', {}, n.name, make('br'), make('span', { class: 'why' }, n.operator)), make('td', {}, make('code', {}, typeOf(n))),
      make('td', {}, make('span', { class: 'dot', style: 'background:' + colours[n.assignee] }), n.assignee, ...(below ? [make('br'), make('span', { class: 'why' }, below)] : [])),
      make('td', { class: 'n' }, n.multiply_adds ? short(n.multiply_adds) : ''), n.multiply_adds ? make('td', { class: 'n heat', style: 'background:' + heatOf(n) }, shareOf(n)) : make('td'), make('td', { class: 'n' }, short(n.output_bytes))), () => pick(i)));
  });
  $('found').textContent = found.length + ' of ' + work.length;
  shade();
}
function shade() {
  const bright = new Set(found);
  if (isFiltered()) found.forEach(i => holders(i).forEach(h => bright.add(h)));
  drawn.forEach((at, i) => at.box.classList.toggle('faint', isFiltered() && !bright.has(i)));
}
// Selects the next match, or the previous one, and opens the nodes that enclose it. Typing in the search field opens no nodes.
function go(by) {
  if (!found.length) return;
  hit = (hit + by + found.length) % found.length;
  const i = found[hit];
  $('found').textContent = hit + 1 + ' of ' + found.length;
  pick(i);
}
$('search').oninput = () => {
  list();
  if (!$('search').value || !found.length) return;
  turn('nodes');
  $('rows').firstChild.scrollIntoView({ block: 'nearest' });
  centre([found[0], ...holders(found[0])].find(i => drawn.has(i)));
};
$('search').onkeydown = event => {
  if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
  if (event.key === 'Escape') { $('search').value = ''; list(); $('search').blur(); }
};
addEventListener('keydown', event => {
  if (event.target === $('search') || event.ctrlKey || event.metaKey || event.altKey) return;
  const does = { '/': () => $('search').focus(), '+': () => zoom(1.3, ...middle()), '-': () => zoom(1 / 1.3, ...middle()), 0: () => fit(true) }[event.key];
  if (does) { event.preventDefault(); does(); }
});

// The reasons why nodes are not delegated, in order of cost, and why the parts are separate.
R.reasons.forEach(r => {
  const key = r.operator || r.backend, why = r.reason || (r.backend ? 'parts of this backend are between parts of another' : '');
  const separated = !r.separated_parts ? '' : r.avoidable_parts === r.separated_parts ? plural(r.separated_parts, 'part') : plural(r.separated_parts, 'part') + ', ' + (r.avoidable_parts || 'none') + ' avoidable';
  $('reasons').append(act(make('tr', { title: r.avoidable_parts ? 'if these nodes were delegated, there would be up to ' + plural(r.avoidable_parts, 'part') + ' fewer' : '' }, make('td', { class: 'n' }, r.nodes + ' ×'),
    make('td', {}, make('b', {}, key), make('br'), why), make('td', { class: 'n' }, r.multiply_adds ? short(r.multiply_adds) : ''), make('td', { class: 't' }, separated)), () => {
    $('search').value = r.texts ? key : r.reason || key;
    $('search').oninput();
    if (r.operator) pick(found.find(i => R.nodes[i].operator === r.operator) ?? found[0]);
  }));
});
$('why').hidden = R.reasons.length === 0;
if (!R.reasons.some(r => r.reason)) $('why').firstChild.textContent = 'Nodes that separate parts';
R.delegates.forEach((d, i) => {
  const row = make('tr', {}, make('td', { class: 't' }, make('span', { class: 'dot', style: 'background:' + colours[d.backend] }), partName(i)), make('td', { class: 't' }, plural(d.nodes, 'node')), make('td', {}, d.separation.text));
  if (callOf[i]) { row.dataset.node = callOf[i].index; act(row, () => pick(callOf[i].index)); }
  $('separations').append(row);
});
$('parts').hidden = R.delegates.length < 2;
$('parts').open = R.delegates.length > 1 && R.delegates.length <= 12;
$('parts').firstChild.textContent = plural(R.delegates.length, 'part') + ', and why each is separate';

// The memory plan: the x axis is steps, the y axis is addresses. A table lists the values of the step with the most bytes.
if (R.memory) {
  const m = R.memory, steps = m.steps.length + 1, fast = m.regions ? m.regions[0].bytes : 0, end = m.regions ? fast + m.regions[1].used : m.arena_bytes, w = 640, h = 380, pad = 60, x = s => pad + s * (w - pad - 8) / steps, y = a => h - 24 - a * (h - 36) / Math.max(1, end);
  const place = a => !m.regions ? count(a) : a < fast ? 'fast ' + count(a) : 'slow ' + count(a - fast);
  const svg = make('svg', { viewBox: `0 0 ${w} ${h}`, width: '100%' }), nodeAt = new Map(graphNodes[0].map(n => [n.index, n])), top = m.steps.map(s => nodeAt.get(s[0]));
  const stepName = s => s < top.length ? 'step ' + s + ', ' + nodeName(top[s]) + (m.steps[s].length > 1 ? ' to ' + nodeName(nodeAt.get(m.steps[s].at(-1))) : '') : 'step ' + s + ', outputs are read';
  (m.regions ? [0, fast, end] : [0, 0.25, 0.5, 0.75, 1].map(f => f * end)).forEach(a => svg.append(make('line', { x1: pad, x2: w - 8, y1: y(a), y2: y(a), stroke: 'var(--line)' }),
    make('text', { class: 'op', x: pad - 6, y: y(a) + 4, 'text-anchor': 'end' }, short(Math.round(a)))));
  const live = Array(steps).fill(0);
  m.entries.forEach(e => { for (let s = e.first; s <= e.last; ++s) live[s] += e.bytes; });
  m.overlaps.forEach(o => { const s = m.steps.findIndex(nodes => nodes.includes(o.node)); if (s >= 0 && o.bytes) live[s] -= o.bytes; });
  const peak = live.indexOf(Math.max(0, ...live));
  m.entries.forEach((e, i) => {
    const wide = Math.max(1.5, x(e.last + 1) - x(e.first) - 1), high = Math.max(1.5, y(e.offset) - y(e.offset + e.bytes) - 1), left = x(e.first), up = y(e.offset + e.bytes);
    const bar = make('rect', { class: 'bar', x: left, y: up, width: wide, height: high, fill: palette[i % palette.length], 'fill-opacity': 0.6 });
    hover(bar, () => `${i + 1}: ${e.name}\n${count(e.bytes)} B at ${place(e.offset)}\nfrom ${stepName(e.first)}\nto ${stepName(e.last)}`);
    bar.onclick = () => { if (top[e.first]) pick(top[e.first].index); };
    svg.append(bar);
    const number = String(i + 1), room = maxChars(wide - 4) - number.length - 2;
    if (wide > 7 * number.length + 4 && high > 10) svg.append(make('text', { class: 'op in', x: left + 3, y: up + Math.min(high / 2 + 4, 14) }, room > 5 ? number + '  ' + fitted(brief(e.name), room * 6.6) : number));
  });
  const mid = (x(peak) + x(peak + 1)) / 2;
  svg.append(make('line', { x1: mid, x2: mid, y1: 4, y2: h - 24, stroke: 'var(--pick)', 'stroke-dasharray': '3 3' }), make('text', { class: 'op', x: Math.min(Math.max(mid, pad + 20), w - 40), y: h - 6, 'text-anchor': 'middle' }, 'step ' + peak),
    ...(mid > pad + 70 ? [make('text', { class: 'op', x: pad, y: h - 6 }, 'step 0')] : []), ...(mid < w - 100 ? [make('text', { class: 'op', x: w - 8, y: h - 6, 'text-anchor': 'end' }, 'step ' + (steps - 1))] : []));
  const body = make('tbody');
  const row = e => make('tr', { title: e.name }, make('td', { class: 'n' }, String(m.entries.indexOf(e) + 1)), make('td', {}, e.name.split(' = ').map(brief).join(' = ')), make('td', { class: 'n' }, count(e.bytes)), make('td', { class: 'n' }, place(e.offset)), make('td', { class: 'n' }, e.first + ' to ' + e.last));
  const table = body => make('table', {}, make('thead', {}, make('tr', {}, make('th', { class: 'n' }, '#'), make('th', {}, 'value (a = b: shared memory)'), make('th', { class: 'n' }, 'bytes'), make('th', { class: 'n' }, 'offset'), make('th', { class: 'n' }, 'steps'))), body);
  m.entries.filter(e => e.first <= peak && peak <= e.last).sort((a, b) => b.bytes - a.bytes).forEach(e => body.append(row(e)));
  $('memory').append(make('p', {}, `Arena ${count(m.arena_bytes)} B; lower bound ${count(m.lower_bound)} B; alignment ${m.alignment} B.`
    + (R.policy ? ` Planned by the policy ${R.policy}` : ' Planned') + (m.strategy !== R.policy ? ` (strategy: ${m.strategy})` : '') + (R.target ? `, for ${R.target}.` : '.')),
    svg, make('p', { class: 'caption' }, `Memory over time. The x axis has the ${steps} steps of a run. A step is a node, or a group of nodes that run row by row; the last step reads the outputs. The y axis has the addresses of the arena, in bytes. A bar is a value or scratch. Its width is its lifetime, its height is its size; the tables list the name for each number. Colors only distinguish neighbors. The dashed line marks the step with the most live bytes.`),
    make('h2', {}, `Live at the peak: ${count(live[peak] || 0)} B at ${stepName(peak)}`),
    table(body));
  const laid = make('tbody');
  m.overlaps.forEach(o => laid.append(make('tr', {}, make('td', {}, nodeName(R.nodes[o.node])), make('td', {}, R.values[o.operand].name), make('td', { class: 'n' }, o.bytes ? count(o.bytes) : '-'), make('td', {}, o.reason || 'overlaps, ' + o.write_order + ' writes'))));
  if (m.overlaps.length) $('memory').append(make('h2', {}, 'Outputs and operands that share memory'),
    make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'output of'), make('th', {}, 'operand'), make('th', { class: 'n' }, 'shared bytes'), make('th', {}, 'result'))), laid));
  const byRows = make('tbody');
  (m.segments || []).forEach(g => g.kept.forEach(k => byRows.append(make('tr', {}, make('td', {}, R.values[k.value].name), make('td', {}, `${g.first} to ${g.last}`), make('td', { class: 'n' }, k.pixels ? plural(k.pixels, 'pixel') : plural(k.rows, 'row'))))));
  if (m.segments) $('memory').append(make('h2', {}, 'Kept rows of the values between nodes that run row by row'),
    make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'value'), make('th', {}, 'nodes'), make('th', { class: 'n' }, 'kept'))), byRows));
  const blocks = make('tbody'), number = n => make('td', { class: 'n' }, n === undefined ? '-' : count(n));
  (m.segments || []).forEach(g => blocks.append(make('tr', {}, make('td', {}, `${g.first} to ${g.last}`), number(g.bytes), make('td', { class: 'n' }, g.offset === undefined ? '-' : place(g.offset)),
    number(g.scratch_bytes), make('td', { class: 'n' }, g.scratch_offset === undefined ? '-' : place(g.scratch_offset)), number(g.bytes_over_input), number(g.bytes_over_output), make('td', {}, (g.single_rows || []).map(n => nodeName(R.nodes[n])).join(', ') || '-'))));
  if (m.segments) $('memory').append(make('h2', {}, 'Memory of the nodes that run row by row'),
    make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'nodes'), make('th', { class: 'n' }, 'bytes'), make('th', { class: 'n' }, 'offset'), make('th', { class: 'n' }, 'scratch'), make('th', { class: 'n' }, 'scratch offset'), make('th', { class: 'n' }, 'over input'), make('th', { class: 'n' }, 'over output'), make('th', {}, 'single rows'))), blocks));
  const copies = make('tbody');
  const target = c => c.to === undefined ? 'copy of ' + R.values[c.from].name : R.values[c.to].name;
  m.copies.forEach(c => copies.append(make('tr', {}, make('td', {}, c.from_copy === undefined ? R.values[c.from].name : target(m.copies[c.from_copy])), make('td', {}, target(c)), make('td', { class: 'n' }, count(c.bytes)), make('td', {}, c.reason))));
  if (m.copies.length) $('memory').append(make('h2', {}, 'Copies at the end of a graph'),
    make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'value'), make('th', {}, 'copied to'), make('th', { class: 'n' }, 'bytes'), make('th', {}, 'reason'))), copies));
  const all = make('tbody');
  m.entries.forEach(e => all.append(row(e)));
  $('memory').append(make('details', {}, make('summary', {}, 'The whole arena: ' + plural(m.entries.length, 'bar')), table(all)));
} else {
  $('memory').append(make('p', {}, 'There is no memory plan for this program.'));
}

function turn(page) {
  document.querySelectorAll('nav button[data-page],.page').forEach(e => e.classList.toggle('on', (e.dataset.page || e.id) === page));
}
document.querySelectorAll('nav button[data-page]').forEach(button => button.onclick = () => turn(button.dataset.page));
$('theme').onclick = () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
};
)page";

}  // namespace baton::report::detail
