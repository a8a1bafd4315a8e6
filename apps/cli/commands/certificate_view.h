// Prints a certificate as JSON, or as a table of its claims.
#pragma once

#include <string>

#include "api/certificate.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/question.h"

namespace renyi::cli {

inline constexpr const char* certificate_explained =
    "The certificate is one line of JSON (docs/format/certificate.md): what the library answers, and\n"
    "enclosures of it proven in ball arithmetic, with nothing shared but the plan. renyi verify checks it.\n"
    "\n";

// The bounds of claims are shown with this many digits.
inline constexpr int shown_digits = 10;

// The flag --format, whose default is the certificate itself.
FlagText certificate_format_flag();
Views<api::CertifyRequest> certificate_views();

}  // namespace renyi::cli
