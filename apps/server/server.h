// renyi serve: settings, the ledger, the tokens, and the server that runs until it is told to stop.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/tokens.h"

namespace renyi::server {

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;
  std::string data{};    // a directory; made if it does not exist
  std::string ledger{};  // empty: server.ledger in the directory, made if it does not exist
  std::string witness{};
  std::string tokens{};  // empty: tokens.json in the directory
  std::string tls_certificate{};
  std::string tls_key{};
  std::vector<std::string> hosts{};  // names of the server besides those of this machine
  bool behind_proxy = false;
  bool asking_needs_token = false;
  bool is_demo = false;  // an example ledger in a directory that is removed at the end
  bool logs = true;
  std::size_t most_connections = 256;
  std::size_t most_connections_per_address = 0;  // 0: half of them; behind a proxy, as many as in all
  std::chrono::milliseconds request_time{10'000};
  api::TokenQuota quota{};  // that of tokens which state none
};

// Returns where data are kept by default: renyi in XDG_DATA_HOME, or in ~/.local/share.
std::string usual_data_directory();
std::string tokens_in(const std::string& data);

// Throws renyi::Error if the server could not run like this; makes nothing, and does not listen.
void check_settings(const ServerSettings& settings);
// Serves until SIGINT or SIGTERM. `tell` gets lines for people: a token that was made, and where the server listens.
// Throws renyi::Error.
void run_server(ServerSettings settings, const std::function<void(std::string_view)>& tell);

}  // namespace renyi::server
