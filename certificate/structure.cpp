#include "certificate/structure.h"

#include <utility>

#include "certificate/judge.h"
#include "renyi/error.h"
#include "renyi/version.h"

namespace renyi::certificate {

Structure structure_of(std::string_view text) {
  const json::Json document = open(text);
  Structure result;
  const auto digest = document.find("digest");
  if (digest == document.end() || *digest != digest_of(document)) {
    result.faults.emplace_back("digest: not that of the body: the certificate was changed or damaged");
    return result;
  }
  try {
    if (auto fault = version_fault(library_of(document).renyi, version)) {
      result.faults.push_back(*std::move(fault));
      return result;
    }
    Certificate certificate = read(document);
    result.faults = misfits(certificate);
    if (!result.faults.empty()) return result;
    result.faults = unproven(certificate);
    result.certificate = std::move(certificate);
  } catch (const InvalidArgument& error) {
    result.faults.emplace_back(error.what());
  }
  return result;
}

}  // namespace renyi::certificate
