// Renders a document as one page of HTML.
#include <fmt/format.h>

#include <string_view>

#include "api/statement/document.h"

namespace renyi::api {
namespace html_file {
namespace {

// The style of a statement as a page: on a screen, bright or dark, and on paper. It contains neither < nor &, so that
// the page is well-formed XML too.
constexpr std::string_view html_style = R"(
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

std::string as_it_is(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string escaped(std::string_view text) { return with_accents(as_it_is(on_one_line(text))); }

std::string inline_text(const Words& words) {
  std::string text;
  for (const Span& span : words.spans()) {
    switch (span.kind) {
      case Span::Kind::plain: text += escaped(span.text); break;
      case Span::Kind::strong: text += "<b>" + escaped(span.text) + "</b>"; break;
      case Span::Kind::code: text += "<code>" + as_it_is(on_one_line(span.text)) + "</code>"; break;
    }
  }
  return text;
}

std::string header_of(const std::vector<std::string>& titles) {
  if (titles.empty()) return "";
  std::string cells;
  for (const std::string& title : titles) cells += fmt::format("<th scope=\"col\">{}</th>", escaped(title));
  return fmt::format("<thead><tr>{}</tr></thead>\n", cells);
}

std::string row_of(const std::vector<Words>& row) {
  std::string cells;
  for (const Words& cell : row) {
    cells += cells.empty() ? fmt::format("<th scope=\"row\">{}</th>", inline_text(cell))
                           : fmt::format("<td>{}</td>", inline_text(cell));
  }
  return fmt::format("<tr>{}</tr>\n", cells);
}

struct Renderer {
  std::string operator()(const Paragraph& block) const { return fmt::format("<p>{}</p>\n", inline_text(block.words)); }
  std::string operator()(const Caution& block) const {
    return fmt::format("<p class=\"caution\"><b>Caution:</b> {}</p>\n", inline_text(block.words));
  }
  std::string operator()(const List& block) const {
    std::string items;
    for (const Words& item : block.items) items += fmt::format("<li>{}</li>\n", inline_text(item));
    return items.empty() ? "" : fmt::format("<ul>\n{}</ul>\n", items);
  }
  std::string operator()(const Table& block) const {
    std::string rows;
    for (const auto& row : block.rows) rows += row_of(row);
    return fmt::format("<div class=\"wide\"><table>\n{}<tbody>\n{}</tbody>\n</table></div>\n", header_of(block.header),
                       rows);
  }
  std::string operator()(const CodeBlock& block) const {
    return fmt::format("<pre><code>{}</code></pre>\n", as_it_is(block.text));
  }
};

std::string blocks_of(const Blocks& blocks) {
  std::string text;
  for (const Block& block : blocks) text += std::visit(Renderer{}, block);
  return text;
}

}  // namespace
}  // namespace html_file

std::string html(const Page& document) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{2}",
      html_file::escaped(document.title), html_file::html_style, html_file::blocks_of(document.lead));
  for (const Section& section : document.sections) {
    text += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", html_file::escaped(section.title),
                        html_file::blocks_of(section.blocks));
  }
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace renyi::api
