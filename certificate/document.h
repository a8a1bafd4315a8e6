// A certificate as a value, and as JSON (docs/format/certificate.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "certificate/answer.h"
#include "certificate/library.h"
#include "certificate/statement.h"
#include "json/parse.h"

namespace renyi::certificate {

struct Claim {
  Statement statement{};
  Certified proven{};
};

struct Gap {
  Statement statement{};
  std::string why{};
};

struct Certificate {
  Library library = this_library();
  Plan plan{};
  CertificateQuestion question{};
  Answer answer{};
  std::vector<Claim> claims{};
  std::vector<Gap> gaps{};
};

// The decimal ends have this many digits.
inline constexpr int decimal_digits = 20;

// Canonical JSON, the digest included.
std::string write(const Certificate& certificate);

// JSON text as a document that calls itself a certificate of this version. Throws InvalidArgument or Unsupported.
json::Json open(std::string_view text);
// The digest that the document should have.
std::string digest_of(json::Json document);
// Which library wrote it: what the rest of the document means depends on it. Throws InvalidArgument.
Library library_of(const json::Json& document);
// All but the digest. Throws InvalidArgument naming the path, or Unsupported for a plan that cannot be certified.
Certificate read(const json::Json& document);

// Throws Unsupported where certifying would take for ever.
void check_size(const Plan& plan);

}  // namespace renyi::certificate
