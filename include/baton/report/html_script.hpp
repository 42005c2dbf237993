// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The moving part of the HTML page: it draws what the JSON beside it says. No library, no network.
#pragma once

namespace baton::report::detail {

inline constexpr char html_script[] = R"page(
'use strict';
const R = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const palette = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#ee7733', '#009988'];
const count = n => n.toLocaleString('en').replace(/,/g, ' ');
const short = (n, unit = '') => (n < 1e4 ? count(n) + ' ' : n < 1e6 ? (n / 1e3).toFixed(1) + ' k' : n < 1e9 ? (n / 1e6).toFixed(1) + ' M' : (n / 1e9).toFixed(2) + ' G') + unit;
const make = (tag, attributes = {}, ...inner) => {
  const svg = ['svg', 'g', 'rect', 'path', 'text', 'title', 'line'].includes(tag) && tag !== 'title';
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...inner);
  return e;
};

// Who computes what.
const backends = [...new Set(R.delegates.map(d => d.backend))];
const takerOf = n => n.delegate !== undefined ? R.delegates[n.delegate].backend : n.within !== undefined ? R.delegates[n.within].backend
  : n.computed_by || (backends.length ? 'not delegated' : 'not assigned');
const others = [...new Set(R.nodes.map(takerOf))].filter(t => !backends.includes(t));
const colours = {};
backends.forEach((b, i) => colours[b] = palette[i % palette.length]);
others.forEach(o => colours[o] = o === 'nobody' ? '#b42318' : '#9aa4b2');
const isCall = n => n.delegate !== undefined;
R.nodes.forEach((n, i) => { n.index = i; n.taker = takerOf(n); });
const maker = [];
R.nodes.forEach(n => n.outputs.forEach(v => maker[v] = n.index));
const graphNodes = R.graphs.map(() => []);
R.nodes.forEach(n => graphNodes[n.graph].push(n));
const isData = v => ['parameter', 'buffer', 'constant'].includes(R.values[v].kind);
// What the owner passes on as data is data inside a delegate too.
R.nodes.filter(isCall).forEach(n => R.graphs[R.delegates[n.delegate].graph].inputs.filter(v => R.values[v].kind === 'user_input')
  .forEach((v, i) => { if (n.inputs[i] != null && isData(n.inputs[i])) R.values[v].kind = R.values[n.inputs[i]].kind; }));
const innerGraphs = n => isCall(n) ? [R.delegates[n.delegate].graph] : n.subgraphs || [];
const typeOf = n => n.outputs.map(v => R.values[v].type).join(' ');
// The operations in the order in which they run; what a call runs stands in its place.
const work = [], visited = new Set();
function visit(g) {
  if (visited.has(g)) return;
  visited.add(g);
  graphNodes[g].forEach(n => { if (!isCall(n)) work.push(n.index); innerGraphs(n).forEach(visit); });
}
R.graphs.forEach((graph, g) => visit(g));
// From a node outwards: the nodes that must be open for it to be seen.
const holders = i => {
  const found = [];
  for (let g = R.graphs[R.nodes[i].graph]; g.role !== 'root';) {
    const holder = g.role === 'subgraph' ? g.of_node : R.nodes.findIndex(n => n.delegate === g.of_delegate);
    if (holder < 0 || found.includes(holder)) break;
    found.push(holder);
    g = R.graphs[R.nodes[holder].graph];
  }
  return found;
};

// Head: what went where, at a glance.
const T = R.totals, percent = (a, b) => b ? Math.round(100 * a / b) + ' %' : '-';
$('name').textContent = R.program;
const facts = [[T.delegated + ' of ' + T.nodes, 'operations delegated'], [percent(T.delegated_multiply_adds, T.multiply_adds), 'of ' + short(T.multiply_adds) + ' multiply-adds'],
  [T.delegates, T.delegates === 1 ? 'delegate' : 'delegates'], [short(T.boundary_bytes, 'B'), 'cross their borders'], [short(T.blob_bytes, 'B'), 'of blobs']];
if (R.memory) facts.push([count(R.memory.arena_bytes) + ' B', 'arena (lower bound ' + count(R.memory.lower_bound) + ')']);
facts.forEach(([b, t]) => $('facts').append(make('span', {}, make('b', {}, String(b)), ' ' + t)));
work.forEach(i => {
  const n = R.nodes[i], cell = make('i', { style: 'background:' + colours[n.taker] });
  cell.onclick = () => pick(i);
  hover(cell, () => describe(n));
  $('ribbon').append(cell);
});
const hidden = new Set();
[...backends, ...others].forEach(t => {
  const ours = work.filter(i => R.nodes[i].taker === t).length;
  const key = make('span', {}, make('span', { class: 'dot', style: 'background:' + colours[t] }), t + ' (' + ours + ')');
  key.onclick = () => { hidden.has(t) ? hidden.delete(t) : hidden.add(t); key.classList.toggle('off'); list(); };
  $('legend').append(key);
});

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
    lines.push(d.name + ' by ' + d.backend + ': ' + graphNodes[d.graph].length + ' operations, blob ' + count(d.blob_bytes) + ' B, scratch ' + count(d.scratch_bytes) + ' B');
  } else {
    lines.push('computed by: ' + n.taker);
    if (n.not_delegated) lines.push('not delegated: ' + n.not_delegated);
    if (n.multiply_adds) lines.push(count(n.multiply_adds) + ' multiply-adds');
  }
  return lines.join('\n');
}

// Layout: layers by longest path, each node near the middle of what it uses; an open node is as large as what lies in it.
const open = new Set();
const leafWidth = 190, leafHeight = 36, gapX = 18, gapY = 26;
function layout(g) {
  const graph = R.graphs[g], items = [], byNode = new Map(), byInput = new Map();
  const add = item => { items.push(item); return item; };
  graph.inputs.filter(v => !isData(v)).forEach(v => byInput.set(v, add({ input: v, w: leafWidth, h: 24, uses: [] })));
  graphNodes[g].forEach(n => {
    const item = add({ node: n, w: leafWidth, h: leafHeight, uses: [] });
    if (open.has(n.index)) {
      item.inner = innerGraphs(n).map(layout);
      item.w = Math.max(leafWidth, item.inner.reduce((sum, part) => sum + part.w + 16, 16));
      item.h = leafHeight + Math.max(...item.inner.map(part => part.h)) + 30;
    }
    byNode.set(n.index, item);
  });
  graph.outputs.forEach((o, i) => add({ output: o, w: leafWidth, h: 24, uses: [], of: o.value }));
  items.forEach(item => {
    const values = item.node ? item.node.inputs : item.output ? [item.of] : [];
    values.forEach(v => {
      if (v === null) return;
      const from = byInput.get(v) || byNode.get(maker[v]);
      if (from) item.uses.push({ from, v });
    });
  });
  items.forEach(item => item.layer = item.input !== undefined ? 0 : 1 + Math.max(0, ...item.uses.map(u => u.from.layer)));
  items.forEach(item => item.uses.forEach(u => { if (u.from.input !== undefined) u.from.below = Math.min(u.from.below ?? 1e9, item.layer); }));
  items.forEach(item => { if (item.input !== undefined) item.layer = (item.below ?? 1) - 1; });
  const layers = [];
  items.forEach(item => (layers[item.layer] ??= []).push(item));
  let y = 0, left = 0, right = 0;
  layers.forEach(layer => {
    layer.forEach((item, i) => item.want = item.uses.length ? item.uses.reduce((sum, u) => sum + u.from.x + u.from.w / 2, 0) / item.uses.length : 0);
    layer.sort((a, b) => a.want - b.want);
    const width = layer.reduce((sum, item) => sum + item.w + gapX, -gapX);
    const middle = layer.reduce((sum, item) => sum + item.want, 0) / layer.length;
    let x = middle - width / 2;
    layer.forEach(item => { item.x = x; item.y = y; x += item.w + gapX; left = Math.min(left, item.x); right = Math.max(right, item.x + item.w); });
    y += Math.max(...layer.map(item => item.h)) + gapY;
  });
  items.forEach(item => item.x -= left);
  return { items, w: right - left, h: Math.max(0, y - gapY) };
}

let drawn = new Map();
function draw() {
  drawn = new Map();
  const scene = $('scene');
  scene.replaceChildren();
  drawGraph(layout(0), 0, 0, scene);
  if (picked !== undefined) mark(picked);
}
function fitted(text, width) {
  const most = Math.floor(width / 6.6);
  return text.length <= most ? text : '…' + text.slice(text.length - most + 1);
}
function drawGraph(part, x, y, into) {
  for (const item of part.items) for (const u of item.uses) {
    const x1 = x + u.from.x + u.from.w / 2, y1 = y + u.from.y + u.from.h, x2 = x + item.x + item.w / 2, y2 = y + item.y, bend = Math.max(12, (y2 - y1) / 2);
    // An edge past other layers swings around the boxes in its way.
    const around = item.layer - u.from.layer > 1 ? (leafWidth / 2 + 14) * 4 / 3 : 0;
    const edge = make('path', { class: 'edge', d: `M${x1} ${y1}C${x1 + around} ${y1 + Math.min(bend, 90)} ${x2 + around} ${y2 - Math.min(bend, 90)} ${x2} ${y2}` });
    if (item.node) edge.dataset.to = item.node.index;
    if (u.from.node) edge.dataset.from = u.from.node.index;
    hover(edge, () => R.values[u.v].name + '  ' + R.values[u.v].type);
    into.append(edge);
  }
  for (const item of part.items) drawItem(item, x + item.x, y + item.y, into);
}
function drawItem(item, x, y, into) {
  const box = make('g', { class: 'node' }), n = item.node;
  const fill = n ? colours[n.taker] : 'var(--line)';
  box.append(make('rect', { x, y, width: item.w, height: item.h, rx: n ? 6 : 12, fill: 'var(--bg)' }));
  box.append(make('rect', { class: item.inner ? 'shell' : 'leaf', x, y, width: item.w, height: item.h, rx: n ? 6 : 12, fill, 'fill-opacity': item.inner ? 0.12 : n ? 0.3 : 0.5 }));
  if (n) {
    const foldable = innerGraphs(n).length > 0;
    const title = isCall(n) ? R.delegates[n.delegate].name : n.name, line = isCall(n) ? R.delegates[n.delegate].backend + ', ' + graphNodes[R.delegates[n.delegate].graph].length + ' operations' : n.operator;
    box.append(make('rect', { x, y: y + 4, width: 4, height: Math.min(item.h, leafHeight) - 8, rx: 2, fill }));
    box.append(make('text', { x: x + 10, y: y + 15 }, fitted(title, item.w - (foldable ? 34 : 16))), make('text', { class: 'op', x: x + 10, y: y + 29 }, fitted(line, item.w - 16)));
    if (foldable) {
      const fold = make('text', { x: x + item.w - 18, y: y + 16 }, item.inner ? '▾' : '▸');
      fold.onclick = event => { event.stopPropagation(); toggle(n.index); };
      box.append(fold);
    }
    box.onclick = event => { event.stopPropagation(); pick(n.index, false); };
    box.ondblclick = event => { event.stopPropagation(); if (foldable) toggle(n.index); };
    hover(box, () => describe(n));
    drawn.set(n.index, { box, x, y, w: item.w, h: item.h });
  } else {
    const v = item.input ?? item.of, label = item.input !== undefined ? R.values[v].name : item.output.mutates ? 'to ' + item.output.mutates : 'output';
    box.append(make('text', { x: x + 10, y: y + 16 }, fitted(label + '  ' + R.values[v].type, item.w - 16)));
    hover(box, () => R.values[v].name + '  ' + R.values[v].type);
  }
  into.append(box);
  if (item.inner) {
    let at = x + 16;
    item.inner.forEach((part, i) => {
      into.append(make('text', { class: 'op', x: at, y: y + leafHeight + 8 }, fitted(R.graphs[innerGraphs(n)[i]].name, part.w)));
      drawGraph(part, at, y + leafHeight + 16, into);
      at += part.w + 16;
    });
  }
}
function toggle(i) { open.has(i) ? open.delete(i) : open.add(i); draw(); }

// The view: what part of the scene is seen.
const view = { x: 0, y: 0, scale: 1 };
const show = () => $('scene').setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`);
function fit(whole) {
  const box = $('scene').getBBox(), room = $('svg').getBoundingClientRect();
  view.scale = Math.min(1.2, room.width / (box.width + 60), whole ? room.height / (box.height + 40) : 9);
  view.x = (room.width - box.width * view.scale) / 2 - box.x * view.scale;
  view.y = 20 - box.y * view.scale + (whole ? 0 : 30);
  show();
}
function zoom(factor, x, y) {
  view.x = x - (x - view.x) * factor;
  view.y = y - (y - view.y) * factor;
  view.scale *= factor;
  show();
}
$('svg').addEventListener('wheel', event => {
  event.preventDefault();
  const room = $('svg').getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - room.left, event.clientY - room.top);
}, { passive: false });
let drag = null;
$('svg').addEventListener('pointerdown', event => drag = { x: event.clientX - view.x, y: event.clientY - view.y });
addEventListener('pointermove', event => { if (drag) { view.x = event.clientX - drag.x; view.y = event.clientY - drag.y; show(); } });
addEventListener('pointerup', () => drag = null);
const middle = () => { const room = $('svg').getBoundingClientRect(); return [room.width / 2, room.height / 2]; };
$('in').onclick = () => zoom(1.3, ...middle());
$('out').onclick = () => zoom(1 / 1.3, ...middle());
$('fit').onclick = () => fit(true);
$('unfold').onclick = () => { const all = R.nodes.filter(n => innerGraphs(n).length); open.size < all.length ? all.forEach(n => open.add(n.index)) : open.clear(); draw(); fit(false); };

// One node is picked; list, drawing and details follow.
let picked;
function mark(i) {
  document.querySelectorAll('.pick').forEach(e => e.classList.remove('pick'));
  drawn.get(i)?.box.classList.add('pick');
  document.querySelectorAll(`.edge[data-from="${i}"],.edge[data-to="${i}"]`).forEach(e => e.classList.add('pick'));
  document.querySelector(`tr[data-node="${i}"]`)?.classList.add('pick');
}
function pick(i, move = true) {
  picked = i;
  const closed = holders(i).filter(h => !open.has(h));
  closed.forEach(h => open.add(h));
  if (closed.length) draw();
  mark(i);
  details(R.nodes[i]);
  const row = document.querySelector(`tr[data-node="${i}"]`);
  row?.scrollIntoView({ block: 'nearest' });
  const at = drawn.get(i);
  if (!move || !at) return;
  const [x, y] = middle();
  view.scale = Math.max(view.scale, 0.8);
  view.x = x - (at.x + at.w / 2) * view.scale;
  view.y = y - (at.y + Math.min(at.h, leafHeight) / 2) * view.scale;
  show();
}
const rows = (pairs, body = make('tbody')) => { pairs.forEach(([k, v]) => body.append(make('tr', {}, make('th', {}, k), make('td', {}, v)))); return make('table', {}, body); };
function details(n) {
  const valueText = v => v === null ? 'left out' : R.values[v].name + '  ' + R.values[v].type + (isData(v) ? '  (' + R.values[v].kind + ', ' + count(R.values[v].bytes) + ' B)' : '');
  const lines = list => make('div', {}, ...list.flatMap(v => [valueText(v), make('br')]));
  const pairs = [['node', n.name], ['operator', n.operator], ['computed by', n.taker], ['inputs', lines(n.inputs)], ['outputs', lines(n.outputs)], ['debug handle', String(n.debug_handle)]];
  if (n.not_delegated) pairs.splice(3, 0, ['not delegated', n.not_delegated]);
  if (n.multiply_adds) pairs.push(['multiply-adds', count(n.multiply_adds)]);
  const page = $('details');
  page.replaceChildren(rows(pairs));
  const which = n.delegate ?? n.within;
  if (which === undefined) return;
  const d = R.delegates[which];
  page.append(make('h2', {}, d.name + ' by ' + d.backend), rows([['blob', count(d.blob_bytes) + ' B'], ['scratch', count(d.scratch_bytes) + ' B'], ['in', count(d.argument_bytes) + ' B a call'],
    ['out', count(d.result_bytes) + ' B a call'], ['multiply-adds', count(d.multiply_adds)], ['debug map', make('div', {}, ...d.debug_map.flatMap(e => [e.id + ' → ' + e.handles.join(', '), make('br')]))]]));
}

// The list, with its filter.
function list() {
  const want = $('search').value.toLowerCase(), body = $('rows');
  const matches = n => !hidden.has(n.taker) && (n.name + ' ' + n.operator + ' ' + n.taker + ' ' + (n.not_delegated || '') + ' ' + typeOf(n)).toLowerCase().includes(want);
  body.replaceChildren();
  const seen = new Set();
  work.forEach((i, at) => {
    const n = R.nodes[i];
    if (!matches(n)) return;
    seen.add(i);
    const row = make('tr', { 'data-node': i }, make('td', { class: 'n' }, String(at)), make('td', {}, n.name, make('br'), make('span', { class: 'why' }, n.operator)), make('td', {}, make('code', {}, typeOf(n))),
      make('td', {}, make('span', { class: 'dot', style: 'background:' + colours[n.taker] }), n.taker, ...(n.not_delegated ? [make('br'), make('span', { class: 'why' }, n.not_delegated)] : [])),
      make('td', { class: 'n' }, n.multiply_adds ? short(n.multiply_adds) : ''), make('td', { class: 'n' }, short(n.output_bytes)));
    row.onclick = () => pick(i);
    body.append(row);
  });
  $('found').textContent = seen.size + ' of ' + work.length;
  const filtered = want || hidden.size;
  drawn.forEach((at, i) => at.box.classList.toggle('faint', Boolean(filtered) && !isCall(R.nodes[i]) && !seen.has(i)));
}
$('search').oninput = list;
addEventListener('keydown', event => { if (event.key === '/' && event.target !== $('search')) { event.preventDefault(); $('search').focus(); } });

// Why nodes stayed, most frequent reason first.
const reasons = new Map();
work.forEach(i => { const why = R.nodes[i].not_delegated; if (why) reasons.set(why, [...(reasons.get(why) || []), i]); });
[...reasons].sort((a, b) => b[1].length - a[1].length).forEach(([why, nodes]) => {
  const row = make('tr', {}, make('td', { class: 'n' }, nodes.length + ' ×'), make('td', {}, why));
  row.onclick = () => { $('search').value = why.toLowerCase(); list(); pick(nodes[0]); };
  $('reasons').append(row);
});
$('why').hidden = reasons.size === 0;

// The memory plan: steps to the right, addresses upwards.
if (R.memory) {
  const m = R.memory, w = 640, h = 380, pad = 60, x = s => pad + s * (w - pad - 8) / m.steps, y = a => h - 24 - a * (h - 36) / Math.max(1, m.arena_bytes);
  const svg = make('svg', { viewBox: `0 0 ${w} ${h}`, width: '100%' });
  [0, 0.25, 0.5, 0.75, 1].forEach(f => svg.append(make('line', { x1: pad, x2: w - 8, y1: y(f * m.arena_bytes), y2: y(f * m.arena_bytes), stroke: 'var(--line)' }),
    make('text', { class: 'op', x: pad - 6, y: y(f * m.arena_bytes) + 4, 'text-anchor': 'end' }, short(Math.round(f * m.arena_bytes)))));
  m.entries.forEach((e, i) => {
    const bar = make('rect', { x: x(e.first), y: y(e.offset + e.bytes), width: Math.max(1.5, x(e.last + 1) - x(e.first) - 1), height: Math.max(1.5, y(e.offset) - y(e.offset + e.bytes) - 1), fill: palette[i % palette.length], 'fill-opacity': 0.6 });
    hover(bar, () => `${e.name}\n${count(e.bytes)} B at ${count(e.offset)}, steps ${e.first} to ${e.last}`);
    svg.append(bar);
  });
  svg.append(make('text', { class: 'op', x: pad, y: h - 6 }, 'step 0'), make('text', { class: 'op', x: w - 8, y: h - 6, 'text-anchor': 'end' }, 'step ' + (m.steps - 1)));
  $('memory').append(svg, make('div', { class: 'why' }, `arena ${count(m.arena_bytes)} B, most bytes live at once ${count(m.lower_bound)} B, alignment ${m.alignment}`));
} else {
  $('memory').append('There is no memory plan for this program.');
}

document.querySelectorAll('nav button[data-page]').forEach(button => button.onclick = () => {
  document.querySelectorAll('nav button[data-page],.page').forEach(e => e.classList.remove('on'));
  button.classList.add('on');
  $(button.dataset.page).classList.add('on');
});
$('theme').onclick = () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
};
list();
draw();
fit(false);
document.documentElement.dataset.ready = 'yes';
)page";

}  // namespace baton::report::detail
