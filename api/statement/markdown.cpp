// Renders a document as Markdown (CommonMark with the usual extension for tables).
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "api/statement/document.h"

namespace renyi::api {
namespace markdown_file {
namespace {

constexpr std::string_view marks = "\\`*_[]<>|&#~$";  // $: some renderers treat it as mathematics

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : on_one_line(text)) {
    if (marks.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return with_accents(result);
}

std::size_t longest_run_of_ticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// Nothing in a code span is escaped: its fence is longer than any run of backticks inside. A bar would end a table's
// cell.
std::string code_span(std::string text) {
  text = on_one_line(text);
  std::replace(text.begin(), text.end(), '|', '/');
  const std::string fence(longest_run_of_ticks(text) + 1, '`');
  const bool touches = text.starts_with('`') || text.ends_with('`');
  return touches ? fmt::format("{0} {1} {0}", fence, text) : fence + text + fence;
}

std::string inline_text(const Words& words) {
  std::string text;
  for (const Span& span : words.spans()) {
    switch (span.kind) {
      case Span::Kind::plain: text += escaped(span.text); break;
      case Span::Kind::strong: text += "**" + escaped(span.text) + "**"; break;
      case Span::Kind::code: text += code_span(span.text); break;
    }
  }
  return text;
}

std::string row_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += cell.empty() ? " |" : fmt::format(" {} |", cell);
  return line + '\n';
}

struct Renderer {
  std::string operator()(const Paragraph& block) const { return inline_text(block.words) + '\n'; }
  std::string operator()(const Caution& block) const { return "> **Caution:** " + inline_text(block.words) + '\n'; }
  std::string operator()(const List& block) const {
    std::string text;
    for (const Words& item : block.items) text += "- " + inline_text(item) + '\n';
    return text;
  }
  std::string operator()(const Table& block) const {
    const std::size_t width = block.rows.empty() ? block.header.size() : block.rows[0].size();
    std::vector<std::string> titles(width);
    std::transform(block.header.begin(), block.header.end(), titles.begin(), escaped);
    std::string text = row_of(titles) + '|';
    for (std::size_t i = 0; i < width; ++i) text += "---|";
    text += '\n';
    for (const auto& row : block.rows) {
      std::vector<std::string> cells;
      for (const Words& cell : row) cells.push_back(inline_text(cell));
      text += row_of(cells);
    }
    return text;
  }
  std::string operator()(const CodeBlock& block) const {
    const std::string fence(std::max<std::size_t>(3, longest_run_of_ticks(block.text) + 1), '`');
    return fmt::format("{0}{1}\n{2}\n{0}\n", fence, block.language, block.text);
  }
};

std::string blocks_of(const Blocks& blocks) {
  std::string text;
  for (const Block& block : blocks) text += '\n' + std::visit(Renderer{}, block);
  return text;
}

}  // namespace
}  // namespace markdown_file

std::string markdown(const Page& document) {
  std::string text = "# " + markdown_file::escaped(document.title) + '\n' + markdown_file::blocks_of(document.lead);
  for (const Section& section : document.sections) {
    text += "\n## " + markdown_file::escaped(section.title) + '\n' + markdown_file::blocks_of(section.blocks);
  }
  return text;
}

}  // namespace renyi::api
