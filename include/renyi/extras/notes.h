// What a reader of the catalogue wants to know of a mechanism, beside its parameters.
#pragma once

#include <string_view>
#include <vector>

namespace renyi {

// A published source, pinned to the statement that is used.
struct Reference {
  std::string_view key;     // of the BibTeX entry
  std::string_view text;    // authors, year, title, statement used
  std::string_view bibtex;  // the whole entry

  bool operator==(const Reference&) const = default;
};

struct Notes {
  std::string_view relation;  // under which neighbouring relations it is stated, and what its numbers mean there
  std::string_view exact;     // which answers are exact
  std::string_view bound;     // which answers are bounds, and why
  std::vector<Reference> references{};
  std::string_view assumes{};  // what figures take for granted where a record is added or removed; empty: nothing
};

}  // namespace renyi
