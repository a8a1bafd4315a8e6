// How sure a number is, in the words that every front end prints. docs/glossary.md defines them.
#pragma once

#include <string_view>

namespace renyi::api {

enum class Certainty {
  estimate,  // a number near the exact value, above or below it
  bound,     // a bound in floating point: its errors are counted, and it is cross-checked with proven values
  proven,    // an enclosure in ball arithmetic, whose error bounds follow from theorems
};

// Returns "estimate", "bound" or "proven".
std::string_view to_string(Certainty certainty) noexcept;

// Returns what the word means, as the end of a sentence: "bounds in floating point, their errors counted and ...".
std::string_view in_words(Certainty certainty) noexcept;

}  // namespace renyi::api
