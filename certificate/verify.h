// The first half of the verifier: everything about a certificate that can be checked without recomputing a value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "certificate/document.h"

namespace renyi::certificate {

struct Structure {
  std::optional<Certificate> certificate{};  // present if its claims can be recomputed
  std::vector<std::string> faults{};         // each with its JSON path
};

// Checks digest, version, grammar, plan and its hash, the list of claims, and whether the claims prove the answer.
// Throws as verify_certificate does.
Structure structure_of(std::string_view text);

}  // namespace renyi::certificate
