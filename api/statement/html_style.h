// How a statement looks as a page: on a screen, bright or dark, and on paper.
#pragma once

#include <string_view>

namespace renyi::api {

// Has neither < nor &, so that the page is well-formed XML too.
inline constexpr std::string_view html_style = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #59636e; --line: #d1d9e0; --shade: #f3f5f7;
  --alarm: #9a5b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --paper: #14181d; --faint: #9aa4af; --line: #39424c;
  --shade: #1f252c; --alarm: #e3a14a; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
p, ul { margin: .6rem 0; }
ul { padding-left: 1.3rem; }
li { margin: .3rem 0; }
.wide { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 600; white-space: nowrap; }
thead th { color: var(--faint); font-weight: 600; font-size: .9rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
code { background: var(--shade); border-radius: .2rem; padding: .05rem .25rem; overflow-wrap: anywhere; }
pre { background: var(--shade); border-radius: .3rem; padding: .7rem .9rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
.caution { border-left: 4px solid var(--alarm); padding: .1rem 0 .1rem .9rem; }
.caution b:first-child { color: var(--alarm); }
@media print { :root { --ink: #000000; --paper: #ffffff; --faint: #333333; --line: #999999; --shade: #ffffff;
  --alarm: #000000; } body { font-size: 10.5pt; } code { padding: 0; } main { max-width: none; padding: 0; }
  h2 { break-after: avoid; } tr, li, pre { break-inside: avoid; } }
)";

}  // namespace renyi::api
