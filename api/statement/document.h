// A short document as a plain value. A statement is written into it before it is rendered as Markdown or HTML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace renyi::api {

// A piece of running text. The text is plain: the renderer escapes it.
struct Span {
  enum class Kind { plain, strong, code };
  Kind kind = Kind::plain;
  std::string text{};
};

// Running text, concatenated by +.
class Words {
 public:
  Words(std::string text) : spans_{{Span::Kind::plain, std::move(text)}} {}  // NOLINT(google-explicit-constructor)
  Words(const char* text) : Words(std::string(text)) {}                      // NOLINT(google-explicit-constructor)
  explicit Words(Span span) : spans_{std::move(span)} {}

  const std::vector<Span>& spans() const noexcept { return spans_; }
  friend Words operator+(Words left, const Words& right) {
    left.spans_.insert(left.spans_.end(), right.spans_.begin(), right.spans_.end());
    return left;
  }

 private:
  std::vector<Span> spans_;
};

inline Words strong(std::string text) { return Words(Span{Span::Kind::strong, std::move(text)}); }
inline Words code(std::string text) { return Words(Span{Span::Kind::code, std::move(text)}); }

struct Paragraph {
  Words words;
};
// A warning that must not be overlooked.
struct Caution {
  Words words;
};
struct List {
  std::vector<Words> items{};
};
// The first cell of a row is its name. The header is empty if the rows need none.
struct Table {
  std::vector<std::string> header{};
  std::vector<std::vector<Words>> rows{};
};
struct CodeBlock {
  std::string language{};
  std::string text{};
};
using Block = std::variant<Paragraph, Caution, List, Table, CodeBlock>;
using Blocks = std::vector<Block>;

struct Section {
  std::string title{};
  Blocks blocks{};
};

struct Page {
  std::string title{};
  Blocks lead{};
  std::vector<Section> sections{};
};

// Renders UTF-8, with a line end after each line; "Renyi" gets its accent.
std::string markdown(const Page& document);
// Renders a self-contained page: no scripts, no external resources, and well-formed as XML too.
std::string html(const Page& document);

// Restores the accents of "Renyi" and "Harremoes". The sources are ASCII.
std::string with_accents(std::string text);
// Replaces line ends and other control characters by blanks: names may contain any.
std::string on_one_line(std::string_view text);

}  // namespace renyi::api
