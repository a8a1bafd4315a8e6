// Tokens are made and revoked in their file, and the log of the ledger says by whom.
#pragma once

#include <string>

#include "apps/server/token_file.h"
#include "renyi/ledger.h"

namespace renyi::server {

// Without a ledger nothing is recorded. A token whose making cannot be recorded is revoked again. Throw renyi::Error.
NewToken make_token(TokenFile& tokens, Ledger* ledger, const api::TokenOrder& order, const std::string& person);
// Makes a token that replaces the newest valid one of this id or name, and then lets that one end.
NewToken rotate_token(TokenFile& tokens, Ledger* ledger, const std::string& id_or_name,
                      const api::TokenRotation& rotation, const std::string& person);
// A token is revoked first, since that must not wait for a ledger: the error says so if it is not recorded.
api::Token revoke_token(TokenFile& tokens, Ledger* ledger, const std::string& id_or_name, const std::string& person);

}  // namespace renyi::server
