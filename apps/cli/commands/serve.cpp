// renyi serve
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "api/openapi.h"
#include "api/server_config.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/commands/quota_flags.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/server/server.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::cli {
namespace serve_file {
namespace {

constexpr const char* network = "The network";
constexpr const char* what_is_kept = "What is kept";
constexpr const char* limits = "Limits";

std::uint16_t read_port(const std::string& text, const std::string& whole) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    throw InvalidArgument("--listen", whole, "ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080");
  }
  return port;
}

// "127.0.0.1:8080", "[::1]:8080", "8080".
void read_listen(const std::string& text, server::ServerSettings& settings) {
  const std::size_t colon = text.rfind(':');
  settings.port = read_port(colon == std::string::npos ? text : text.substr(colon + 1), text);
  if (colon == std::string::npos) return;
  settings.address = text.substr(0, colon);
  if (settings.address.starts_with('[') && settings.address.ends_with(']')) {
    settings.address = settings.address.substr(1, settings.address.size() - 2);
  }
  if (settings.address == "localhost") settings.address = "127.0.0.1";
}

server::ServerSettings settings_of(const Flags& flags) {
  server::ServerSettings settings;
  if (const auto text = flags.text("--listen")) read_listen(*text, settings);
  settings.ledger = flags.text("--ledger").value_or("");
  settings.tokens = flags.text("--tokens").value_or("");
  settings.is_demo = flags.given("--demo");
  if (settings.is_demo) {
    for (const char* other : {"--data", "--ledger", "--tokens", "--witness"}) {
      if (flags.given(other)) throw InvalidArgument(other, "a value", "nothing beside --demo, which keeps nothing");
    }
  }
  settings.data =
      flags.given("--data") || settings.is_demo ? flags.text("--data").value_or("") : server::usual_data_directory();
  settings.witness = flags.text("--witness").value_or("");
  settings.tls_certificate = flags.text("--tls-certificate").value_or("");
  settings.tls_key = flags.text("--tls-key").value_or("");
  std::istringstream hosts(flags.text("--host").value_or(""));
  for (std::string host; std::getline(hosts, host, ',');) settings.hosts.push_back(host);
  settings.behind_proxy = flags.given("--behind-proxy");
  settings.logs = !flags.given("--no-log");
  const std::string ask = flags.text("--ask").value_or("open");
  if (ask != "open" && ask != "token") throw InvalidArgument("--ask", ask, "open or token");
  settings.asking_needs_token = ask == "token";
  if (const auto text = flags.text("--connections"))
    settings.most_connections = read_count("--connections", *text, 100'000);
  if (const auto text = flags.text("--connections-per-address"))
    settings.most_connections_per_address = read_count("--connections-per-address", *text, 100'000);
  if (const auto text = flags.text("--request-timeout")) {
    settings.request_time =
        std::chrono::duration_cast<std::chrono::milliseconds>(read_time("--request-timeout", *text));
    if (settings.request_time < std::chrono::milliseconds(100)) {
      throw InvalidArgument("--request-timeout", *text, "a time of at least 100ms");
    }
  }
  settings.quota = read_quota(flags);
  return settings;
}

std::vector<FlagText> all_flags() {
  return {
      {"--listen", "ADDRESS:PORT", "where to listen; port 0 is any free one (default 127.0.0.1:8080)", network},
      {"--tls-certificate", "FILE", "certificate chain for HTTPS, in PEM", network},
      {"--tls-key", "FILE", "the certificate's private key, in PEM", network},
      {"--host", "NAME", "a name by which clients call this server; may be repeated", network, true},
      {"--behind-proxy", "", "a proxy in front does TLS and sets X-Forwarded-For", network},
      {"--data", "DIR", "where everything is kept (default: renyi in XDG_DATA_HOME or ~/.local/share)", what_is_kept},
      {"--ledger", "LEDGER", "another ledger, which exists: a file, or postgresql://...", what_is_kept},
      {"--witness", "WITNESS", "the ledger's witness: a file, or postgresql://...", what_is_kept},
      {"--tokens", "FILE", "another file of tokens; several servers may share one", what_is_kept},
      {"--demo", "", "an example ledger, which is removed at the end", what_is_kept},
      {"--config", "FILE", "settings as JSON, a member for each flag; flags override them", what_is_kept},
      {"--ask", "open|token", "whether questions need a token, too (default open)", limits},
      {"--connections", "N", "how many connections may be open (default 256)", limits, false, ',', true},
      {"--connections-per-address", "N", "how many from one address (default: half; behind a proxy all)", limits, false,
       ',', true},
      {"--request-timeout", "TIME", "how long a request may take to arrive (default 10s)", limits, false, ',', true},
      {"--calls-per-minute", "N", "how often a token may call that states nothing else (default: no limit)", limits,
       false, ',', true},
      {"--cpu-per-minute", "TIME", "processor time that its calls may use, such as 20s", limits, false, ',', true},
      {"--no-log", "", "no log of requests on standard error", limits, false, ',', true},
      {"--openapi", "", "print the description of the interface, in OpenAPI, and end", limits, false, ',', true},
      {"--check", "", "check the settings and end", limits, false, ',', true}};
}

// A file of settings has a member for each flag that is a setting.
std::vector<api::Setting> all_settings() {
  std::vector<api::Setting> settings;
  for (const FlagText& flag : all_flags()) {
    if (flag.name == "--config" || flag.name == "--openapi" || flag.name == "--check") continue;
    const auto kind = is_switch(flag)     ? api::SettingKind::flag
                      : flag.repeatable   ? api::SettingKind::list
                      : flag.value == "N" ? api::SettingKind::count
                                          : api::SettingKind::text;
    settings.push_back({flag.name.substr(2), kind});
  }
  return settings;
}

Flags with_file(const Flags& given) {
  Flags flags = given;
  const auto file = given.text("--config");
  if (!file) return flags;
  try {
    for (auto& [name, text] : api::read_server_config(Input(*file).read_all(), all_settings())) {
      auto& slot = flags.slot("--" + name);
      if (!slot) slot = std::move(text);
    }
  } catch (const InvalidArgument& error) {
    throw error.within(*file + ": ");
  }
  return flags;
}

void run(const Flags& given) {
  with_question([&](Question& question) {
    for (const char* name : {"listen", "data", "demo", "tls-certificate", "tls-key"}) {
      question.flag_at[name] = std::string("--") + name;
    }
    const Flags flags = with_file(given);
    if (flags.given("--openapi")) return print(api::openapi() + '\n');
    const server::ServerSettings settings = settings_of(flags);
    const auto tell = [](std::string_view line) {
      print(fmt::format("{}\n", line));
      flush_output();
    };
    if (!flags.given("--check")) return server::run_server(settings, tell);
    server::check_settings(settings);
    tell("renyi serve: the settings are good");
  });
}

}  // namespace
}  // namespace serve_file

Command serve_command() {
  using namespace serve_file;
  return {
      .name = "serve",
      .help = "Serve questions, a ledger and a page over HTTP",
      .flags = all_flags(),
      .footer =
          "The first start makes a ledger and prints a token of the role admin, which is\n"
          "shown only then. Ledgers need a token (renyi token), questions do not.\n"
          "\n"
          "Examples:\n"
          "  renyi serve --demo\n"
          "  renyi serve --data budgets\n"
          "  renyi serve --config server.json\n"
          "  renyi serve --listen 0.0.0.0:8443 --host budgets.example.org \\\n"
          "      --tls-certificate certificate.pem --tls-key key.pem --data budgets",
      .run = [](const Flags& flags, const CommandText&) { run(flags); },
  };
}

}  // namespace renyi::cli
