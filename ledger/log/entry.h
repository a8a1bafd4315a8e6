// An entry of the log: what was asked and what came of it, as a value and as canonical text (docs/format/ledger.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/ledger.h"

namespace renyi::ledger {

inline constexpr int format_version = 1;
// Keys that a ledger makes for calls without one begin so.
inline constexpr std::string_view own_key = "auto-";

enum class Verb { init, import, scope, blocks, lower, raise, reserve, open, commit, cancel, expire, charge, token };
std::string_view to_string(Verb verb) noexcept;

// What was asked. Members that a verb does not have are empty. Two requests are the same if their texts are.
struct Request {
  Verb verb = Verb::charge;
  std::string key{};
  std::string lineage{};  // whose key it is: that of a token (CallInfo); empty: of the whole ledger
  std::string person{};
  std::string comment{};
  std::string scope{};                // also that of a ticket
  ScopeSettings settings{};           // scope: with its relation
  std::vector<std::string> blocks{};  // scope, blocks, reserve, charge
  Budget budget{};                    // lower, raise
  std::string reason{};               // raise
  std::string steps{};                // reserve, charge: the steps of a plan, as canonical JSON
  std::int64_t count = 1;             // reserve, charge
  std::int64_t expires_in = 0;        // reserve: seconds
  std::int64_t ticket = 0;            // open, commit, cancel, expire
  std::string output_sha256{};        // commit
  std::string ledger{};               // init, import: the new id
  bool has_witness = false;           // init, import
  LedgerHead predecessor{};           // import
  TokenEvent event{};                 // token
  TokenRecord token{};                // token
};

// What came of it.
struct Outcome {
  bool accepted = true;
  std::string secret_sha256{};    // reserve
  std::string expires{};          // reserve
  std::string note{};             // what the guarantee depends on
  std::int64_t output_bytes = 0;  // commit: how long the output is that is stored; 0: none is
  // Refusals.
  std::string refused_by{};
  std::string reason{};
  std::vector<ScopeBalances> left{};
  std::optional<std::int64_t> fitting_count{};
  std::optional<FittingStep> fitting_step{};
};

struct Entry {
  std::int64_t number = 0;
  std::string previous{};  // the hash of the entry before; empty for the first one
  std::string time{};
  Request request{};
  Outcome outcome{};
};

// Returns the key as the log has it, where each is unique: that of a token is "token-LINEAGE:SCOPE:KEY". Calls of other
// tokens, or on other scopes, never meet it.
std::string recorded_key(const Request& request);
// Returns whether a key looks like one that the log has for a token.
bool is_token_key(std::string_view key);
bool is_lineage(std::string_view text);

// Returns the text of the request, and of the whole entry with the given text of its request.
std::string text_of(const Request& request);
std::string text_of(const Entry& entry, std::string_view request);

Request read_request(std::string_view text);
// Reads an entry. Throws InvalidArgument unless the text is exactly what text_of writes.
Entry read_entry(std::string_view text);
// The same for what a store has: throw StoreFailure (corrupt).
Request read_stored_request(std::string_view text);
Entry read_stored_entry(std::string_view text);
// Return the part of an entry's text that is its request, its verb, and whether it was accepted, without reading it
// all.
std::string_view request_in(std::string_view text);
std::string_view verb_in(std::string_view text);
bool is_accepted(std::string_view text);

Receipt receipt_of(const Entry& entry, const std::string& hash);

}  // namespace renyi::ledger
