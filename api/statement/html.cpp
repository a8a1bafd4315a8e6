// A document as one page of HTML.
#include <fmt/format.h>

#include <string_view>

#include "api/statement/document.h"
#include "api/statement/html_style.h"

namespace renyi::api {
namespace {

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

std::string html(const Document& document) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{2}",
      escaped(document.title), html_style, blocks_of(document.lead));
  for (const Section& section : document.sections) {
    text += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(section.title), blocks_of(section.blocks));
  }
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace renyi::api
