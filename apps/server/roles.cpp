#include "apps/server/roles.h"

#include <algorithm>

namespace renyi::server {

const VerbRule* rule_of(api::LedgerVerb verb) noexcept {
  const auto* found =
      std::find_if(verb_rules.begin(), verb_rules.end(), [&](const VerbRule& rule) { return rule.verb == verb; });
  return found == verb_rules.end() ? nullptr : found;
}

bool may(api::Role role, const VerbRule& rule) noexcept {
  switch (role) {
    case api::Role::admin: return rule.admin;
    case api::Role::analyst: return rule.analyst;
    case api::Role::auditor: return rule.auditor;
  }
  return false;
}

bool covers(const api::Token& token, std::string_view scope) noexcept {
  if (token.role != api::Role::analyst) return true;
  return std::any_of(token.scopes.begin(), token.scopes.end(), [&](const std::string& own) {
    return scope == own || (scope.starts_with(own) && scope[own.size()] == '/');
  });
}

}  // namespace renyi::server
