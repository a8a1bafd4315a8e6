// Who may do what: one row for each verb that a server offers.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "api/ledger.h"
#include "api/tokens.h"

namespace renyi::server {

struct VerbRule {
  api::LedgerVerb verb;
  bool admin;
  bool analyst;  // on its own scopes, and those within them
  bool auditor;
};

inline constexpr std::array<VerbRule, 16> verb_rules{{
    {api::LedgerVerb::scope, true, false, false},
    {api::LedgerVerb::blocks, true, false, false},
    {api::LedgerVerb::lower, true, false, false},
    {api::LedgerVerb::raise, true, false, false},
    {api::LedgerVerb::reserve, true, true, false},
    {api::LedgerVerb::open, true, true, false},
    {api::LedgerVerb::commit, true, true, false},
    {api::LedgerVerb::cancel, true, true, false},
    {api::LedgerVerb::charge, true, true, false},
    {api::LedgerVerb::may_run, true, true, true},
    {api::LedgerVerb::show, true, true, true},
    {api::LedgerVerb::ticket, true, true, true},
    {api::LedgerVerb::history, true, true, true},
    {api::LedgerVerb::verify, true, false, true},
    {api::LedgerVerb::head, true, false, true},
    {api::LedgerVerb::export_log, true, false, true},
}};

// Returns the row of a verb; nullptr for init and import, which no server offers.
const VerbRule* rule_of(api::LedgerVerb verb) noexcept;
bool may(api::Role role, const VerbRule& rule) noexcept;
// Returns whether the token's role and scopes include this one.
bool covers(const api::Token& token, std::string_view scope) noexcept;

}  // namespace renyi::server
