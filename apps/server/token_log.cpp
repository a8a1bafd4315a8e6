#include "apps/server/token_log.h"

#include "renyi/error.h"

namespace renyi::server {

namespace token_log_file {
namespace {

void record(Ledger* ledger, TokenEvent event, const api::Token& token, const std::string& person) {
  if (ledger == nullptr) return;
  ledger->record_token(event,
                       {.id = token.id,
                        .holder = token.name,
                        .role = std::string(to_string(token.role)),
                        .scopes = token.scopes,
                        .expires = token.expires,
                        .lineage = token.lineage == token.id ? "" : token.lineage},
                       {.person = person});
}

NewToken recorded(TokenFile& tokens, Ledger* ledger, NewToken made, const std::string& person) {
  try {
    record(ledger, TokenEvent::made, made.token, person);
  } catch (...) {
    tokens.revoke(made.token.id);
    throw;
  }
  return made;
}

void record_end(Ledger* ledger, const api::Token& revoked, const std::string& person) {
  try {
    record(ledger, TokenEvent::revoked, revoked, person);
  } catch (const StoreFailure& error) {
    throw StoreFailure(error.fault(), "the token is revoked, and the log of the ledger does not say so: " + error.why(),
                       error.instead());
  }
}

}  // namespace
}  // namespace token_log_file

NewToken make_token(TokenFile& tokens, Ledger* ledger, const api::TokenOrder& order, const std::string& person) {
  return token_log_file::recorded(tokens, ledger, tokens.add(order), person);
}

NewToken rotate_token(TokenFile& tokens, Ledger* ledger, const std::string& id_or_name,
                      const api::TokenRotation& rotation, const std::string& person) {
  check(rotation);
  const api::Token old = tokens.newest(id_or_name);
  NewToken made = token_log_file::recorded(tokens, ledger, tokens.add_after(old, rotation.expires_in), person);
  const api::Token ended = tokens.end(old.id, rotation.keep_for);
  if (!ended.revoked.empty()) token_log_file::record_end(ledger, ended, person);
  return made;
}

api::Token revoke_token(TokenFile& tokens, Ledger* ledger, const std::string& id_or_name, const std::string& person) {
  api::Token revoked = tokens.revoke(id_or_name);
  token_log_file::record_end(ledger, revoked, person);
  return revoked;
}

}  // namespace renyi::server
