// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The still parts of the HTML page: how it looks, and its skeleton.
#pragma once

namespace baton::report::detail {

inline constexpr char html_style[] = R"page(
:root{color-scheme:light dark;--bg:#fff;--panel:#f6f7f9;--line:#d4d8de;--text:#1c2330;--dim:#5f6b7c;--edge:#98a2b3;--box:#fff;--pick:#d6336c}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#14171c;--panel:#1c2027;--line:#343b46;--text:#e6e9ee;--dim:#9aa5b5;--edge:#667085;--box:#222831;--pick:#ff7aa8}}
:root[data-theme=dark]{--bg:#14171c;--panel:#1c2027;--line:#343b46;--text:#e6e9ee;--dim:#9aa5b5;--edge:#667085;--box:#222831;--pick:#ff7aa8}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;height:100vh;display:flex;flex-direction:column;background:var(--bg);color:var(--text);font:13px/1.4 system-ui,sans-serif}
header{padding:8px 12px;border-bottom:1px solid var(--line);background:var(--panel)}
h1{font-size:15px;margin:0 12px 0 0;display:inline}h2{font-size:13px;margin:12px 0 4px}
.facts span{margin-right:14px;white-space:nowrap}.facts b{font-variant-numeric:tabular-nums}
#ribbon{display:flex;height:18px;margin-top:6px;border-radius:4px;overflow:hidden;cursor:pointer}#ribbon i{flex:1 1 0;min-width:0}
#legend span,.key{display:inline-block;margin:4px 12px 0 0;cursor:pointer;white-space:nowrap}#legend span.off{opacity:.35}.key{cursor:default}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:5px;vertical-align:-1px}
main{flex:1;display:flex;min-height:0}#graph{flex:1;min-width:0;position:relative}#graph svg{width:100%;height:100%;display:block;cursor:grab;touch-action:none}
#tools{position:absolute;left:10px;top:10px}button{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:2px 8px;cursor:pointer}
aside{width:46%;max-width:760px;border-left:1px solid var(--line);display:flex;flex-direction:column;min-height:0;background:var(--panel)}
nav{display:flex;gap:6px;padding:8px;border-bottom:1px solid var(--line);align-items:center}nav button.on{background:var(--text);color:var(--bg)}
input{font:inherit;color:inherit;background:var(--box);border:1px solid var(--line);border-radius:4px;padding:3px 8px;flex:1;min-width:60px}
.page{flex:1;overflow:auto;padding:0 10px 10px;display:none}.page.on{display:block}
table{border-collapse:collapse;width:100%;font-size:12px}th{position:sticky;top:0;background:var(--panel);text-align:left;color:var(--dim);font-weight:600}
td,th{padding:3px 6px;border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody tr{cursor:pointer}tbody tr:hover,tr.pick{background:color-mix(in srgb,var(--pick) 14%,transparent)}.why{color:var(--dim)}
code{font:12px ui-monospace,monospace}text{fill:var(--text);font:12px system-ui,sans-serif}text.op{fill:var(--dim);font-size:10.5px}
.leaf,.shell{stroke:var(--line);stroke-width:1}.pick>.leaf,.pick>.shell{stroke:var(--pick);stroke-width:3}.faint{opacity:.25}
.edge{fill:none;stroke:var(--edge);stroke-width:1.3}.edge.pick{stroke:var(--pick);stroke-width:2.5}.node{cursor:pointer}
#tip{position:fixed;pointer-events:none;max-width:420px;background:var(--text);color:var(--bg);padding:6px 9px;border-radius:5px;font-size:12px;display:none;white-space:pre-line;z-index:9}
)page";

inline constexpr char html_body[] = R"page(
<header><h1 id="name"></h1><span class="facts" id="facts"></span><button id="theme" style="float:right">light / dark</button>
<div id="ribbon" title=""></div><div id="legend"></div></header>
<main><div id="graph"><svg id="svg"><g id="scene"></g></svg>
<div id="tools"><button id="in">+</button> <button id="out">−</button> <button id="fit">fit</button> <button id="unfold">open / close all</button></div></div>
<aside><nav><button data-page="operators" class="on">operations</button><button data-page="details">details</button><button data-page="memory">memory</button>
<input id="search" placeholder="filter: name, operator, reason  ( / )"><span class="why" id="found"></span></nav>
<div class="page on" id="operators"><div id="why"><h2>Why not delegated</h2><table><tbody id="reasons"></tbody></table><h2>Operations</h2></div>
<table><thead><tr><th class="n">#</th><th>node</th><th>output</th><th>computed by</th><th class="n">mult-adds</th><th class="n">bytes</th></tr></thead><tbody id="rows"></tbody></table></div>
<div class="page" id="details"><p class="why">Click a node.</p></div><div class="page" id="memory"></div></aside></main><div id="tip"></div>
)page";

}  // namespace baton::report::detail
