// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The static parts of the HTML page: its style and its body.
#pragma once

#include <baton/core/config.hpp>

namespace baton::report::detail {

inline constexpr char html_style[] = R"page(
:root{color-scheme:light dark;--bg:#fff;--panel:#f6f7f9;--line:#d4d8de;--text:#1c2330;--dim:#566274;--edge:#8691a3;--box:#fff;--pick:#d6336c}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#14171c;--panel:#1c2027;--line:#3d4552;--text:#e6e9ee;--dim:#a3adbc;--edge:#7d8797;--box:#222831;--pick:#ff7aa8}}
:root[data-theme=dark]{--bg:#14171c;--panel:#1c2027;--line:#3d4552;--text:#e6e9ee;--dim:#a3adbc;--edge:#7d8797;--box:#222831;--pick:#ff7aa8}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;height:100vh;display:flex;flex-direction:column;background:var(--bg);color:var(--text);font:13px/1.4 system-ui,sans-serif}
:focus-visible{outline:2px solid var(--pick);outline-offset:1px}
header{padding:8px 12px;border-bottom:1px solid var(--line);background:var(--panel)}
.head{display:flex;align-items:flex-start;gap:12px}h1{font-size:15px;margin:0}h2{font-size:13px;margin:12px 0 4px}
.facts{flex:1;display:flex;flex-wrap:wrap;gap:0 14px;padding-top:1px}.facts span{white-space:nowrap}.facts b{font-variant-numeric:tabular-nums}
#bars{display:grid;grid-template-columns:max-content 1fr;gap:3px 10px;align-items:center;margin-top:6px}.bars{display:flex;height:12px;border-radius:4px;overflow:hidden;cursor:pointer;background:var(--line)}#costs{height:18px}
.bars i{flex:1 1 0;min-width:0}.bars.few i{box-shadow:inset -1px 0 var(--line)}.bars i.part{border-left:2px solid var(--panel)}.caption{color:var(--dim);margin:4px 0 0;font-size:12px}
#legend{display:flex;flex-wrap:wrap;gap:2px 8px;margin-top:4px;align-items:center}#legend .mark{padding:1px 4px;white-space:nowrap}.dashes{display:inline-block;width:22px;height:11px;border:1px dashed var(--dim);border-radius:3px;margin-right:5px;vertical-align:-1px}.scale{display:inline-block;width:60px;height:11px;border-radius:3px;margin:0 5px;vertical-align:-1px}
#legend button{border-color:transparent;background:none;padding:1px 4px;text-align:left}#legend button.off{opacity:.35}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:5px;vertical-align:-1px;flex:none}
main{flex:1;display:flex;min-height:0}#graph{flex:1;min-width:0;min-height:0;position:relative}#graph svg{width:100%;height:100%;display:block;cursor:grab;touch-action:none}
#tools{position:absolute;left:10px;top:10px}button{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:2px 8px;cursor:pointer}
aside{width:46%;max-width:760px;border-left:1px solid var(--line);display:flex;flex-direction:column;min-height:0;background:var(--panel)}
@media(max-width:900px){main{flex-direction:column}#graph{flex:0 0 42%}aside{flex:1;width:auto;max-width:none;border-left:0;border-top:1px solid var(--line)}}
nav{display:flex;flex-wrap:wrap;gap:6px;padding:8px;border-bottom:1px solid var(--line);align-items:center}nav button.on{background:var(--text);color:var(--bg)}
input{font:inherit;color:inherit;background:var(--box);border:1px solid var(--line);border-radius:4px;padding:3px 8px;flex:1;min-width:120px}#found{white-space:nowrap}
.page{flex:1;overflow:auto;padding:0 10px 10px;display:none}.page.on{display:block}.some{max-height:26vh;overflow:auto}
table{border-collapse:collapse;width:100%;font-size:12px}thead th{position:sticky;top:0;background:var(--panel)}th{text-align:left;color:var(--dim);font-weight:600}
td,th{padding:3px 6px;border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td{overflow-wrap:anywhere}td.t{white-space:nowrap}.why,code{overflow-wrap:normal}
tr[tabindex]{cursor:pointer}tr[tabindex]:hover,tr.pick{background:color-mix(in srgb,var(--pick) 14%,transparent)}.why{color:var(--dim)}
a{color:inherit;cursor:pointer;text-decoration:underline}summary{font-weight:600;margin:10px 0 4px;cursor:pointer}
code{font:12px ui-monospace,monospace}text{fill:var(--text);font:12px system-ui,sans-serif;pointer-events:none}text.fold{pointer-events:auto;font-size:16px}text.op{fill:var(--dim);font-size:10.5px}
.leaf,.shell{stroke:var(--line);stroke-width:1}.undelegated>.leaf{stroke:var(--dim);stroke-dasharray:4 3}.pick>.leaf,.pick>.shell{stroke:var(--pick);stroke-width:3;stroke-dasharray:none}.faint{opacity:.25}
.edge{fill:none;stroke:var(--edge);stroke-width:1.3;marker-end:url(#arrow)}.edge.pick{stroke:var(--pick);stroke-width:2.5}.node{cursor:pointer}#arrow path{fill:var(--edge)}
text.in{fill:var(--text)}text.share{fill:#1c2330;font-size:10px;font-weight:600;text-anchor:middle}td.heat{color:#1c2330}.bar{cursor:pointer}.bar:hover{fill-opacity:1}
#tip{position:fixed;pointer-events:none;max-width:420px;background:var(--text);color:var(--bg);padding:6px 9px;border-radius:5px;font-size:12px;display:none;white-space:pre-line;overflow-wrap:anywhere;z-index:9}
)page";

inline constexpr char html_body[] = R"page(
<header><div class="head"><h1 id="name"></h1><span class="facts" id="facts"></span><button id="theme">light / dark</button></div>
<div id="bars"><span class="why costs">multiply-adds</span><div class="bars costs" id="costs"></div><span class="why">nodes</span><div class="bars" id="ribbon"></div></div>
<div id="legend"></div><p class="caption" id="caption"></p></header>
<main><div id="graph"><svg id="svg"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs><g id="scene"></g></svg>
<div id="tools"><button id="in" title="zoom in (+)">+</button> <button id="out" title="zoom out (-)">−</button> <button id="fit" title="show the whole graph (0)">fit</button> <button id="unfold">open / close all</button></div></div>
<aside><nav><button data-page="nodes" class="on">nodes</button><button data-page="details">details</button><button data-page="memory">memory</button>
<input id="search" placeholder="search name, operator, reason (key /; Enter: next match)"><span class="why" id="found"></span></nav>
<div class="page on" id="nodes"><div id="why"><h2>Reasons for undelegated nodes</h2><div class="some"><table><thead><tr><th class="n">nodes</th><th>operator and reason</th><th class="n">mult-adds</th><th>separated parts</th></tr></thead><tbody id="reasons"></tbody></table></div></div>
<details id="parts"><summary></summary><div class="some"><table><tbody id="separations"></tbody></table></div></details><h2>Nodes in execution order</h2>
<table><thead><tr><th class="n">#</th><th>node</th><th>output</th><th>assigned to</th><th class="n">mult-adds</th><th class="n">share</th><th class="n">bytes</th></tr></thead><tbody id="rows"></tbody></table></div>
<div class="page" id="details"><p class="why">Click a node, or move to it with Tab and press Enter. Space opens and closes a delegate or a node with branches.</p></div><div class="page" id="memory"></div></aside></main><div id="tip"></div>
)page";

}  // namespace baton::report::detail
