#include "apps/server/server.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "api/ledger.h"
#include "apps/server/demo.h"
#include "apps/server/http.h"
#include "apps/server/page.h"
#include "apps/server/service.h"
#include "apps/server/token_file.h"
#include "apps/server/token_log.h"
#include "renyi/error.h"
#include "renyi/ledger.h"

namespace renyi::server {

namespace server_file {
namespace {

std::string of_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
  return value == nullptr ? std::string() : std::string(value);
}

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

std::string in_url(const std::string& address) {
  return address.find(':') == std::string::npos ? address : '[' + address + ']';
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

HttpSettings http_settings(const ServerSettings& settings) {
  HttpSettings http{.address = settings.address, .port = settings.port};
  http.tls_certificate = settings.tls_certificate;
  http.tls_key = settings.tls_key;
  http.most_connections = settings.most_connections;
  // Behind a proxy all have its address, and it limits each of its clients.
  http.most_connections_per_address = settings.most_connections_per_address != 0 || settings.behind_proxy
                                          ? settings.most_connections_per_address
                                          : (settings.most_connections + 1) / 2;
  http.request_time = settings.request_time;
  return http;
}

ServiceSettings service_settings(const ServerSettings& settings) {
  ServiceSettings service{.hosts = {"localhost", "127.0.0.1", "[::1]", lower(in_url(settings.address))}};
  for (const std::string& host : settings.hosts) service.hosts.push_back(lower(host));
  service.behind_proxy = settings.behind_proxy;
  service.asking_needs_token = settings.asking_needs_token;
  service.quota = settings.quota;
  service.logs = settings.logs;
  service.is_demo = settings.is_demo;
  service.page = embedded_page();
  service.ask_threads = std::max(1U, std::thread::hardware_concurrency());
  return service;
}

// What goes over a network in the clear, tokens among it, can be read there.
void check_network(const ServerSettings& settings) {
  if (settings.tls_certificate.empty() != settings.tls_key.empty()) {
    const bool has_key = !settings.tls_key.empty();
    throw InvalidArgument(has_key ? "tls-certificate" : "tls-key", "nothing",
                          "both files of TLS, --tls-certificate and --tls-key");
  }
  if (!settings.tls_certificate.empty() || settings.behind_proxy || is_loopback(settings.address)) return;
  throw InvalidArgument("listen", settings.address,
                        "an address of this machine only (127.0.0.1, ::1) without TLS: give --tls-certificate and "
                        "--tls-key, or --behind-proxy if a proxy in front does TLS");
}

void make_private_directory(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return;
  std::filesystem::create_directories(path, error);
  if (!error) std::filesystem::permissions(path, std::filesystem::perms::owner_all, error);
  if (error) throw InvalidArgument("data", path, "a directory that can be made (" + error.message() + ")");
}

std::shared_ptr<Ledger> open_ledger(const ServerSettings& settings) {
  const LedgerOptions options{.witness = settings.witness};
  if (!settings.ledger.empty()) return std::make_shared<Ledger>(settings.ledger, options);
  const std::string place = (std::filesystem::path(settings.data) / "server.ledger").string();
  if (std::filesystem::exists(place)) return std::make_shared<Ledger>(place, options);
  // Whoever may read the file sees the ledger without a token.
  const ::mode_t before = ::umask(0077);
  auto made = std::make_shared<Ledger>(Ledger::create(place, options));
  ::umask(before);
  return made;
}

// The first token of all is printed once, and kept nowhere.
std::optional<NewToken> first_token(TokenFile& tokens, Ledger& ledger) {
  if (!tokens.all().empty()) return std::nullopt;
  return make_token(tokens, &ledger, {.name = "admin", .role = api::Role::admin}, "renyi serve");
}

// The certificate was read before; a file that cannot be used leaves what was there.
void reload(Service& service, TokenFile& tokens, std::string_view fault) {
  if (!fault.empty()) service.log().note("certificate not reloaded", fault);
  try {
    tokens.read_again();
    if (fault.empty()) service.log().note("reloaded");
  } catch (const StoreFailure& error) {
    service.log().note("tokens not reloaded", error.what());
  }
}

}  // namespace
}  // namespace server_file

std::string usual_data_directory() {
  const std::string data = server_file::of_environment("XDG_DATA_HOME");
  if (!data.empty()) return data + "/renyi";
  const std::string home = server_file::of_environment("HOME");
  if (home.empty()) throw InvalidArgument("data", "nothing", "a directory: neither HOME nor XDG_DATA_HOME is set");
  return home + "/.local/share/renyi";
}

std::string tokens_in(const std::string& data) { return (std::filesystem::path(data) / "tokens.json").string(); }

void check_settings(const ServerSettings& settings) {
  server_file::check_network(settings);
  check_tls(server_file::http_settings(settings));
  const std::string tokens = settings.tokens.empty() ? tokens_in(settings.data) : settings.tokens;
  TokenFile(tokens).all();
  const std::string ledger =
      settings.ledger.empty() ? (std::filesystem::path(settings.data) / "server.ledger").string() : settings.ledger;
  if (!settings.ledger.empty() || std::filesystem::exists(ledger)) Ledger(ledger, {.witness = settings.witness});
}

void run_server(ServerSettings settings, const std::function<void(std::string_view)>& tell) {
  using namespace server_file;
  check_network(settings);
  std::optional<DemoDirectory> demo;
  if (settings.is_demo) {
    demo.emplace();
    settings.data = demo->path();
  }
  if (settings.ledger.empty() || settings.tokens.empty()) make_private_directory(settings.data);
  TokenFile tokens(settings.tokens.empty() ? tokens_in(settings.data) : settings.tokens);
  const std::shared_ptr<Ledger> ledger = open_ledger(settings);
  if (ledger->upgrade()) tell("renyi serve: " + api::in_words(*ledger->upgrade()));
  if (demo) fill_demo(*ledger);
  static_cast<void>(ledger->head());  // so that its number is known
  std::optional<Service> service;
  std::atomic<bool> is_over{false};
  HttpServer http(
      http_settings(settings),
      [&](HttpRequest request, HttpServer::Reply reply) { service->handle(std::move(request), std::move(reply)); },
      [&](int status, const HttpRequest& request) { return service->refuse(status, request); },
      [&](std::string_view fault) { reload(*service, tokens, fault); });
  service.emplace(service_settings(settings), ledger, tokens);
  service->watch({[&] { return http.counts(); }, [&] { return is_over.load(); }, [&] { return http.is_stopping(); }});
  if (const auto made = first_token(tokens, *ledger)) {
    tell("renyi serve: a token of the role admin, shown this once: " + made->itself);
  }
  const char* scheme = settings.tls_certificate.empty() ? "http" : "https";
  tell(std::string("renyi serve: listening on ") + scheme + "://" + in_url(settings.address) + ':' +
       std::to_string(http.port()));
  if (demo) tell("renyi serve: the ledger is an example with made-up data, and is removed at the end");
  service->log().note("start");
  http.run();
  // Replies refer to the HTTP server, so that the threads end before it. Questions end at once, calls of the ledger
  // when they are done: each was recorded as a whole, or not at all.
  is_over = true;
  service->stop_workers();
  service->log().note("stop");
  service->log().settle(std::chrono::seconds(1));
}

}  // namespace renyi::server
