// Describes ledgers, their scopes and their receipts as text.
#pragma once

#include <string>
#include <vector>

#include "api/ledger.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

// A location without what may be a password: the path of a file, the address of a server, or "a PostgreSQL database".
std::string shown_location(const std::string& location);

// What was recorded, or refused and why. `now` is what is left after a charge.
std::string receipt_text(const api::LedgerRequest& asked, const Receipt& receipt, const std::vector<ScopeBalances>& now,
                         const std::vector<std::string>& understood, const std::vector<std::string>& warnings);

// The scopes as a tree: budgets, what is spent and left, reservations, notes.
std::string scopes_text(const api::LedgerRequest& asked, const api::LedgerShown& shown);
std::string scopes_csv(const api::LedgerShown& shown);

// The balances of one scope over time.
std::string burn_down_text(const ScopeState& state, const std::vector<BurnDownPoint>& points);
std::string burn_down_csv(const std::vector<BurnDownPoint>& points);

std::string history_text(const std::vector<LedgerEntry>& entries);
std::string history_csv(const std::vector<LedgerEntry>& entries);

std::string ticket_text(const api::ShownTicket& shown);
std::string verification_text(const api::LedgerRequest& asked, const LedgerVerification& result);

}  // namespace renyi::cli
