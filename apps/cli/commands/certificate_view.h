// A certificate as it stands, or as a table of its claims.
#pragma once

#include <string>

#include "apps/cli/commands/command.h"
#include "apps/cli/flags/question.h"

namespace renyi::cli {

inline constexpr const char* certificate_explained =
    "The certificate is one line of JSON (docs/format/certificate.md): what the library answers, and\n"
    "enclosures of it proven in ball arithmetic, with nothing shared but the plan. renyi verify checks it.\n"
    "\n";

// The claims' ends are shown with this many digits.
inline constexpr int shown_digits = 10;
// What a claim is about: "rdp, remove", "epsilon at delta 1e-5, add".
std::string name_of(const api::Json& claim);

// --format, where the certificate itself is the default.
FlagText certificate_format_flag();
JsonViews certificate_views();

}  // namespace renyi::cli
