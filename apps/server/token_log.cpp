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
                        .expires = token.expires},
                       {.person = person});
}

}  // namespace
}  // namespace token_log_file

NewToken make_token(TokenFile& tokens, Ledger* ledger, const api::TokenOrder& order, const std::string& person) {
  NewToken made = tokens.add(order);
  try {
    token_log_file::record(ledger, TokenEvent::made, made.token, person);
  } catch (...) {
    tokens.revoke(made.token.id);
    throw;
  }
  return made;
}

api::Token revoke_token(TokenFile& tokens, Ledger* ledger, const std::string& id_or_name, const std::string& person) {
  api::Token revoked = tokens.revoke(id_or_name);
  try {
    token_log_file::record(ledger, TokenEvent::revoked, revoked, person);
  } catch (const StoreFailure& error) {
    throw StoreFailure(error.fault(), "the token is revoked, and the log of the ledger does not say so: " + error.why(),
                       error.instead());
  }
  return revoked;
}

}  // namespace renyi::server
