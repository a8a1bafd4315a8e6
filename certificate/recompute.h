// Every figure of a certificate computed again, by both routes.
#pragma once

#include <string>
#include <vector>

#include "certificate/document.h"

namespace renyi::certificate {

struct Recomputed {
  std::vector<std::string> faults{};  // each with its JSON path
  std::vector<Claim> claims{};        // with the second route's enclosures, where they could be had
};

// `is_ours`: this version made it, so that methods, precisions and reasons are those found here.
Recomputed recomputed(const Certificate& certificate, bool is_ours);

}  // namespace renyi::certificate
