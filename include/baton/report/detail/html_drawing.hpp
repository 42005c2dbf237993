// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The part of the HTML page's script that draws, scrolls and scales the graph.
#pragma once

#include <baton/core/config.hpp>

namespace baton::report::detail {

inline constexpr char html_drawing[] = R"page(
// Layout: layers by longest path. A node is near the center of its producers. An open node encloses its graphs.
const open = new Set();
const leafWidth = 200, leafHeight = 36, gapX = 18, gapY = 30;
const reasonLine = n => isCall(n) ? partReason(n) : n.not_delegated || '';
function layout(g) {
  const graph = R.graphs[g], items = [], byNode = new Map(), byInput = new Map();
  const add = item => { items.push(item); return item; };
  graph.inputs.filter(v => !isData(v)).forEach(v => byInput.set(v, add({ input: v, w: leafWidth, h: 24, uses: [] })));
  graphNodes[g].forEach(n => {
    const item = add({ node: n, w: leafWidth, h: leafHeight + (reasonLine(n) ? 14 : 0), uses: [] });
    if (open.has(n.index)) {
      item.head = item.h;
      item.inner = innerGraphs(n).map(layout);
      item.w = Math.max(leafWidth, item.inner.reduce((sum, part) => sum + part.w + 16, 16));
      item.h = item.head + Math.max(...item.inner.map(part => part.h)) + 30;
    }
    byNode.set(n.index, item);
  });
  graph.outputs.forEach(o => add({ output: o, w: leafWidth, h: 24, uses: [], of: o.value }));
  items.forEach(item => {
    const values = item.node ? item.node.inputs : item.output ? [item.of] : [];
    values.forEach(v => {
      if (v === null) return;
      const from = byInput.get(v) || byNode.get(producer[v]);
      if (from) item.uses.push({ from, v });
    });
  });
  items.forEach(item => item.layer = item.input !== undefined ? 0 : 1 + Math.max(0, ...item.uses.map(u => u.from.layer)));
  items.forEach(item => item.uses.forEach(u => { if (u.from.input !== undefined) u.from.below = Math.min(u.from.below ?? 1e9, item.layer); }));
  items.forEach(item => { if (item.input !== undefined) item.layer = (item.below ?? 1) - 1; });
  const layers = [];
  items.forEach(item => (layers[item.layer] ??= []).push(item));
  const spans = [], edges = [];
  let y = 0, left = 0, right = 0;
  layers.forEach(layer => {
    layer.forEach(item => item.want = item.uses.length ? item.uses.reduce((sum, u) => sum + u.from.x + u.from.w / 2, 0) / item.uses.length : 0);
    layer.sort((a, b) => a.want - b.want);
    const width = layer.reduce((sum, item) => sum + item.w + gapX, -gapX);
    const middle = layer.reduce((sum, item) => sum + item.want, 0) / layer.length;
    let x = middle - width / 2;
    const span = { left: x, right: x + width, layer };
    layer.forEach(item => { item.x = x; item.y = y; x += item.w + gapX; });
    y += Math.max(...layer.map(item => item.h)) + gapY;
    span.bottom = y - gapY;
    spans[layer[0].layer] = span;
    left = Math.min(left, span.left);
    right = Math.max(right, span.right);
  });
  // Edges end at different points of a node. If boxes are in the way of an edge that skips layers, the edge passes to the left or to the
  // right of the boxes, on a vertical line (a lane). Edges beside the same layers use different lanes.
  const lanes = { left: [], right: [] };
  const free = (side, from, to) => {
    let k = 0;
    while (k < 12 && (side[k] ??= []).some(taken => taken.from < to && from < taken.to)) ++k;
    (side[k] ??= []).push({ from, to });
    return 14 + k * 7;
  };
  for (const item of items) {
    item.uses.sort((a, b) => a.from.x + a.from.w / 2 - b.from.x - b.from.w / 2);
    item.uses.forEach((u, i) => {
      const from = u.from, x1 = from.x + from.w / 2, x2 = item.x + Math.min(item.w, 400) * (i + 1) / (item.uses.length + 1) + Math.max(0, item.w - 400) / 2;
      const y1 = from.y + from.h, yb = spans[from.layer].bottom, y2 = item.y, half = gapY / 2;
      const passed = spans.slice(from.layer + 1, item.layer), low = Math.min(x1, x2) - 6, high = Math.max(x1, x2) + 6;
      let line = `M${x1} ${y1}L${x1} ${yb}`;
      if (passed.some(span => span.layer.some(box => box.x < high && box.x + box.w > low))) {
        const toLeft = Math.min(...passed.map(span => span.left)), toRight = Math.max(...passed.map(span => span.right));
        const goesLeft = Math.abs(x2 - toLeft) + Math.abs(x1 - toLeft) < Math.abs(x2 - toRight) + Math.abs(x1 - toRight);
        const lane = goesLeft ? toLeft - free(lanes.left, from.layer, item.layer) : toRight + free(lanes.right, from.layer, item.layer);
        left = Math.min(left, lane - 6);
        right = Math.max(right, lane + 6);
        line += `C${x1} ${yb + half} ${lane} ${yb + half} ${lane} ${yb + gapY}L${lane} ${y2 - gapY}C${lane} ${y2 - half} ${x2} ${y2 - half} ${x2} ${y2}`;
      } else {
        line += `C${x1} ${yb + half} ${x2} ${y2 - half} ${x2} ${y2}`;
      }
      edges.push({ line, v: u.v, from: from.node, to: item.node });
    });
  }
  items.forEach(item => item.x -= left);
  return { items, edges, left, w: right - left, h: Math.max(0, y - gapY) };
}

let drawn = new Map();
function draw() {
  drawn = new Map();
  const scene = $('scene');
  scene.replaceChildren();
  drawGraph(layout(0), 0, 0, scene);
  if (picked !== undefined) mark(picked);
  shade();
}
function drawGraph(part, x, y, into) {
  for (const e of part.edges) {
    const edge = make('path', { class: 'edge', d: e.line, transform: `translate(${x - part.left} ${y})` });
    if (e.to) edge.dataset.to = e.to.index;
    if (e.from) edge.dataset.from = e.from.index;
    hover(edge, () => R.values[e.v].name + '  ' + R.values[e.v].type + '  ' + count(R.values[e.v].bytes) + ' B');
    into.append(edge);
  }
  for (const item of part.items) drawItem(item, x + item.x, y + item.y, into);
}
function drawItem(item, x, y, into) {
  const n = item.node, box = make('g', { class: 'node' });
  const fill = n ? colours[n.assignee] : 'var(--line)', shape = { x, y, width: item.w, height: item.h, rx: n ? 6 : 12 };
  box.append(make('rect', { ...shape, fill: 'var(--bg)' }), make('rect', { ...shape, class: item.inner ? 'shell' : 'leaf', fill, 'fill-opacity': item.inner ? 0.1 : n ? 0.32 : 0.5 }));
  into.append(box);
  if (!n) {
    const v = item.input ?? item.of, label = item.input !== undefined ? R.values[v].name : item.output.mutates ? 'to ' + item.output.mutates : 'output';
    box.append(make('text', { x: x + 10, y: y + 16 }, fitted(label + '  ' + R.values[v].type, item.w - 16)));
    hover(box, () => R.values[v].name + '  ' + R.values[v].type);
    return;
  }
  const foldable = innerGraphs(n).length > 0;
  if (!isCall(n) && n.within === undefined && backends.length) box.classList.add('undelegated');
  box.append(make('rect', { x, y: y + 4, width: 4, height: (item.head ?? item.h) - 8, rx: 2, fill }));
  const share = shareOf(n), taken = share ? 48 : 10;
  const title = isCall(n) ? partName(n.delegate) : n.name, line = isCall(n) ? R.delegates[n.delegate].backend + ', ' + plural(R.delegates[n.delegate].nodes, 'node') : n.operator;
  box.append(make('text', { x: x + 10, y: y + 15 }, fitted(title, item.w - (foldable ? 34 : 16))), make('text', { class: 'op', x: x + 10, y: y + 29 }, fitted(line, (item.w - taken) * 1.1)));
  if (share) box.append(make('rect', { x: x + item.w - 44, y: y + 20, width: 38, height: 13, rx: 3, fill: heatOf(n), stroke: 'var(--line)' }), make('text', { class: 'share', x: x + item.w - 25, y: y + 30 }, share));
  if (reasonLine(n)) box.append(make('text', { class: 'op', x: x + 10, y: y + 43, 'font-style': 'italic' }, begun(reasonLine(n), (item.w - 14) * 1.18)));
  if (foldable) {
    const fold = make('text', { class: 'fold', x: x + item.w - 20, y: y + 18 }, item.inner ? '▾' : '▸');
    fold.onclick = event => { event.stopPropagation(); toggle(n.index); };
    box.append(fold);
  }
  for (const [k, v] of Object.entries({ tabindex: 0, role: 'button', 'aria-label': describe(n) })) box.setAttribute(k, v);
  if (foldable) box.setAttribute('aria-expanded', Boolean(item.inner));
  box.onclick = event => { event.stopPropagation(); if (!moved) pick(n.index, false); };
  box.ondblclick = event => { event.stopPropagation(); if (foldable) toggle(n.index); };
  box.onkeydown = event => {
    const folds = foldable && (event.key === ' ' || event.key === (item.inner ? 'ArrowLeft' : 'ArrowRight'));
    if (!folds && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (folds) { toggle(n.index); drawn.get(n.index).box.focus(); } else pick(n.index);
  };
  box.onfocus = () => { if (box.matches(':focus-visible')) reveal(n.index); };
  hover(box, () => describe(n));
  drawn.set(n.index, { box, x, y, w: item.w, h: item.h });
  let at = x + 16;
  (item.inner || []).forEach((part, i) => {
    if (!isCall(n)) into.append(make('text', { class: 'op', x: at, y: y + item.head + 8 }, fitted(R.graphs[n.subgraphs[i]].name, part.w)));
    drawGraph(part, at, y + item.head + 16, into);
    at += part.w + 16;
  });
}
function toggle(i) { open.has(i) ? open.delete(i) : open.add(i); draw(); }

// The view: the visible part of the scene.
const view = { x: 0, y: 0, scale: 1 }, above = 44;
const show = () => $('scene').setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`);
function fit(whole) {
  const box = $('scene').getBBox(), room = $('svg').getBoundingClientRect();
  view.scale = Math.min(1.2, room.width / (box.width + 40), whole ? (room.height - above) / (box.height + 20) : 9);
  if (!whole) view.scale = Math.max(view.scale, 0.3);
  view.x = (room.width - box.width * view.scale) / 2 - box.x * view.scale;
  view.y = above + 4 - box.y * view.scale;
  show();
}
function zoom(factor, x, y) {
  const scale = Math.min(6, Math.max(0.005, view.scale * factor));
  view.x = x - (x - view.x) * scale / view.scale;
  view.y = y - (y - view.y) * scale / view.scale;
  view.scale = scale;
  show();
}
$('svg').addEventListener('wheel', event => {
  event.preventDefault();
  const room = $('svg').getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - room.left, event.clientY - room.top);
}, { passive: false });
let drag = null, moved = false;
$('svg').addEventListener('pointerdown', event => { moved = false; drag = { x: event.clientX - view.x, y: event.clientY - view.y, fromX: event.clientX, fromY: event.clientY }; });
addEventListener('pointermove', event => {
  if (!drag) return;
  moved ||= Math.hypot(event.clientX - drag.fromX, event.clientY - drag.fromY) > 4;
  view.x = event.clientX - drag.x;
  view.y = event.clientY - drag.y;
  show();
});
addEventListener('pointerup', () => drag = null);
const middle = () => { const room = $('svg').getBoundingClientRect(); return [room.width / 2, room.height / 2]; };
const unfold = () => { const all = R.nodes.filter(n => innerGraphs(n).length); open.size < all.length ? all.forEach(n => open.add(n.index)) : open.clear(); draw(); fit(false); };
$('in').onclick = () => zoom(1.3, ...middle());
$('out').onclick = () => zoom(1 / 1.3, ...middle());
$('fit').onclick = () => fit(true);
$('unfold').onclick = unfold;
// Moves the view so that the node is in the center, if the node is drawn.
function centre(i) {
  const at = drawn.get(i);
  if (!at) return;
  const [x, y] = middle();
  view.scale = Math.max(view.scale, 0.8);
  view.x = x - (at.x + at.w / 2) * view.scale;
  view.y = y - (at.y + Math.min(at.h, leafHeight) / 2) * view.scale;
  show();
}
// Moves the view like `centre`, unless the node is completely visible.
function reveal(i) {
  const at = drawn.get(i).box.getBoundingClientRect(), room = $('svg').getBoundingClientRect();
  if (at.left < room.left || at.right > room.right || at.top < room.top + above || at.bottom > room.bottom) centre(i);
}
list();
draw();
fit(false);
document.documentElement.dataset.ready = 'yes';
)page";

}  // namespace baton::report::detail
