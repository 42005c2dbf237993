// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the script of a report in Node.js with a minimal document, without layout: node page_without_browser.js PAGE.html
// Checks texts and colors of the report. browser_test.sh checks what needs a browser.
'use strict';
const fs = require('fs'), vm = require('vm');
const page = fs.readFileSync(process.argv[2], 'utf8');

class Element {
  constructor(tag) { Object.assign(this, { tag, nodes: [], attributes: {}, style: {}, dataset: {}, names: new Set(), value: '' }); }
  get classList() {
    const names = this.names, toggle = (name, on = !names.has(name)) => { on ? names.add(name) : names.delete(name); };
    return { add: name => names.add(name), remove: name => names.delete(name), contains: name => names.has(name), toggle };
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name === 'class') this.names = new Set(String(value).split(' '));
    if (name.startsWith('data-')) this.dataset[name.slice(5)] = String(value);
  }
  append(...inner) { this.nodes.push(...inner); }
  prepend(...inner) { this.nodes.unshift(...inner); }
  replaceChildren(...inner) { this.nodes = inner; }
  get textContent() { return this.nodes.map(n => n instanceof Element ? n.textContent : String(n)).join(''); }
  set textContent(text) { this.nodes = [text]; }
  get firstChild() { return this.nodes[0] || new Element('none'); }
  all() { return this.nodes.flatMap(n => n instanceof Element ? [n, ...n.all()] : []); }
  of(tag, name) { return this.all().filter(e => e.tag === tag && (!name || e.names.has(name))); }
  addEventListener() {}
  querySelector() { return new Element('none'); }
  getBBox() { return { x: 0, y: 0, width: 100, height: 100 }; }
  getBoundingClientRect() { return { left: 0, top: 0, right: 800, bottom: 600, width: 800, height: 600 }; }
  focus() {} blur() {} scrollIntoView() {} matches() { return false; }
}
const ids = {};
for (const [, tag, id] of page.matchAll(/<([a-z0-9]+)[^>]* id="([a-z]+)"/g)) ids[id] = new Element(tag);
ids.parts.append(new Element('summary'));
ids.parts.querySelector = () => ids.parts.firstChild;
ids.data = new Element('script');
ids.data.textContent = /<script[^>]*id="data"[^>]*>([^]*?)<\/script>/.exec(page)[1];
const document = {
  title: '', documentElement: new Element('html'), body: new Element('body'), activeElement: null,
  getElementById: id => ids[id] || null, createElement: tag => new Element(tag), createElementNS: (space, tag) => new Element(tag),
  querySelector: () => new Element('none'), querySelectorAll: () => [], addEventListener() {},
};
const script = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(m => m[1]).join('\n');
const world = { document, addEventListener() {}, matchMedia: () => ({ matches: false }), innerWidth: 1500, innerHeight: 900, performance, console };
vm.runInNewContext(script + '\nglobalThis.report = R;', world);

const R = world.report, faults = [];
const check = (name, fact) => { if (!fact) faults.push(name); };
const text = id => ids[id].textContent;
check('the title is the file', text('name') === R.file && document.title === R.file + ' - Baton report');
const [backend] = new Set(R.delegates.map(d => d.backend)), total = R.totals;
check('the legend has the backend and its share', new RegExp(backend + ': \\d+ parts?, \\d+ nodes \\(\\d+ %\\), .* multiply-adds').test(text('legend')));
check('the legend has the nodes that are not delegated', text('legend').includes('not delegated'));
check('the legend has the scale of costs', /cost 0 %(<1|\d+) % of all multiply-adds/.test(text('legend')) && ids.legend.of('span', 'scale')[0].attributes.style.includes('linear-gradient'));
check('the caption explains the bars and names the target', text('caption').includes('its share of the multiply-adds') && text('caption').endsWith('Target: ' + R.target + '.'));
const costly = R.nodes.filter(n => n.multiply_adds && n.delegate === undefined), cells = ids.rows.of('td', 'heat');
check('each cost is a segment of the bar, as wide as its multiply-adds', ids.costs.nodes.length === costly.length
  && ids.costs.nodes.every(e => costly.some(n => e.attributes.style.endsWith('flex-grow:' + n.multiply_adds))));
check('each cost is in percent', cells.length === costly.length && cells.every(e => /^(<1|\d+|>99) %$/.test(e.textContent)));
const shares = cells.map((e, i) => [e.textContent, e.attributes.style]);
check('each cost has a color of heat', shares.every(([, style]) => /^background:hsl\(\d+(\.\d+)? 92% \d+(\.\d+)?%\)$/.test(style)));
const most = Math.max(...costly.map(n => n.multiply_adds)), hottest = shares[costly.findIndex(n => n.multiply_adds === most)];
check('the costliest node is red', hottest && hottest[1] === 'background:hsl(4 92% 64%)');
check('a share is the quotient of multiply-adds', shares.every(([share], i) => {
  const part = 100 * costly[i].multiply_adds / total.multiply_adds;
  return share === (part < 0.5 ? '<1 %' : part === 100 ? '100 %' : Math.round(part) + ' %');
}));
const memory = ids.memory, bars = memory.of('rect', 'bar'), labels = memory.of('text', 'in').map(e => e.textContent);
check('a bar for each value in the arena', bars.length === R.memory.entries.length && bars.length > 2);
check('the labels of bars differ', labels.length > 1 && new Set(labels).size === labels.length && labels.every(label => /^\d+/.test(label)));
check('the tables name the number of each bar', (() => {
  const named = memory.of('tr').filter(e => e.nodes[0].tag === 'td' && e.attributes.title).map(e => e.nodes[0].textContent + ' ' + e.attributes.title);
  return R.memory.entries.every((e, i) => named.includes(i + 1 + ' ' + e.name));
})());
check('the memory plan names its policy and target', text('memory').includes('Planned by the policy ' + R.policy) && text('memory').includes('for ' + R.target));
if (faults.length) console.error('FAILED ' + faults.join('; '));
process.exit(faults.length ? 1 : 0);
