// The server that keeps a ledger, as flags and the environment name it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/ledger.h"
#include "apps/cli/flags/question.h"

namespace renyi::cli {

inline constexpr const char* server_flag = "--server";

// What RENYI_SERVER says; empty if it is not set.
std::string server_of_environment();
// --server, --token-file, --ca, --insecure.
std::vector<FlagText> server_flags(const std::string& group);
// Returns whether a location is the address of a server: http://... or https://...
bool is_server(const std::string& location);
// Returns the server at an address. Nothing is sent before it is asked. Throws InvalidArgument for an address, a token
// or a file that cannot be used, and for an address to which a token would be sent readably.
std::shared_ptr<api::LedgerServer> server_at(const std::string& url, const Flags& flags);

}  // namespace renyi::cli
