#include "certify/mechanism/proof.h"

#include <map>
#include <string>

namespace renyi::certify {

namespace proof {

#define RENYI_PROOF_by_type(name)
#define RENYI_PROOF_unproved(name)
#define RENYI_PROOF_proved(name) Proof name();
#define RENYI_MECHANISM(name, proof) RENYI_PROOF_##proof(name)
#include "catalogue/mechanisms.def"
#undef RENYI_PROOF_proved

}  // namespace proof

namespace proof_file {
namespace {

// A kind is the name of its catalogue entry with hyphens.
[[maybe_unused]] std::string kind_of(std::string name) {
  for (char& letter : name) {
    if (letter == '_') letter = '-';
  }
  return name;
}

std::map<std::string, Proof, std::less<>> all_proofs() {
  std::map<std::string, Proof, std::less<>> proofs;
#define RENYI_PROOF_proved(name) proofs.emplace(kind_of(#name), proof::name());
#include "catalogue/mechanisms.def"
#undef RENYI_PROOF_proved
#undef RENYI_MECHANISM
  return proofs;
}

}  // namespace
}  // namespace proof_file

const Proof* proof_of(const Mechanism& mechanism) {
  static const auto proofs = proof_file::all_proofs();
  const Mechanism* known = find_mechanism(mechanism.kind());
  if (known == nullptr || !known->is_same_type(mechanism) || mechanism.sampling() != nullptr) return nullptr;
  const auto found = proofs.find(mechanism.kind());
  return found == proofs.end() ? nullptr : &found->second;
}

}  // namespace renyi::certify
