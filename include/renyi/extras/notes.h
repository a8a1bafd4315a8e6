// Remarks and references about a mechanism, from which the documentation of the mechanisms is made.
#pragma once

#include <string_view>
#include <vector>

namespace renyi {

// A published source, with the statement that is used.
struct Reference {
  std::string_view key;     // key of the BibTeX entry
  std::string_view text;    // authors, year, title, statement used
  std::string_view bibtex;  // the whole entry

  bool operator==(const Reference&) const = default;
};

// What the documentation states about a mechanism, in addition to its parameters.
struct Notes {
  std::string_view relation;  // its neighbouring relations, and what its parameters mean under them
  std::string_view exact;     // which answers are exact
  std::string_view bound;     // which answers are bounds, and why
  std::vector<Reference> references{};
  std::string_view assumes{};  // what answers assume under add-or-remove-one (see `assumption`); empty if nothing
};

}  // namespace renyi
