// renyi token: who may use a server.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "api/tokens.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/commands/quota_flags.h"
#include "apps/cli/io/output.h"
#include "apps/server/server.h"
#include "apps/server/token_file.h"
#include "apps/server/token_log.h"
#include "renyi/error.h"
#include "renyi/ledger.h"

namespace renyi::cli {
namespace token_file {
namespace {

constexpr const char* name_argument = "NAME";
constexpr const char* token_argument = "TOKEN";
constexpr const char* group = "The tokens";

std::vector<FlagText> place_flags() {
  return {{"--data", "DIR", "the directory of the server (default: renyi in XDG_DATA_HOME or ~/.local/share)", group},
          {"--tokens", "FILE", "the file of tokens, if it is another one than tokens.json there", group}};
}

FlagText ledger_flag() {
  return {"--ledger", "LEDGER", "whose log records it (default: server.ledger beside the file, if it is there)", group};
}

std::string path_of(const Flags& flags) {
  if (const auto file = flags.text("--tokens")) return *file;
  return server::tokens_in(flags.given("--data") ? *flags.text("--data") : server::usual_data_directory());
}

// The ledger whose log says who made and revoked tokens: that of the server whose directory has the file.
std::unique_ptr<Ledger> ledger_of(const Flags& flags) {
  if (const auto location = flags.text("--ledger")) return std::make_unique<Ledger>(*location);
  const auto beside = std::filesystem::path(path_of(flags)).replace_filename("server.ledger");
  return std::filesystem::exists(beside) ? std::make_unique<Ledger>(beside.string()) : nullptr;
}

// Who has the file needs no token: in the log, names of users of this machine are told from those of tokens.
std::string local_person() {
  std::array<char, 4096> space{};
  struct ::passwd user {};
  struct ::passwd* found = nullptr;
  const bool is_known = ::getpwuid_r(::geteuid(), &user, space.data(), space.size(), &found) == 0 && found != nullptr;
  return "user " + (is_known ? std::string(user.pw_name) : std::to_string(::geteuid()));
}

// A time as people write it: "12h", "30d".
std::chrono::seconds read_time(const char* flag, const std::string& text) {
  const InvalidArgument refusal(flag, text, "a time such as 30d, 12h, 45m or 600s");
  if (text.size() < 2 || text.size() > 10 || text.find_first_not_of("0123456789") != text.size() - 1) throw refusal;
  const std::int64_t count = std::stoll(text.substr(0, text.size() - 1));
  switch (text.back()) {
    case 'd': return std::chrono::hours(24 * count);
    case 'h': return std::chrono::hours(count);
    case 'm': return std::chrono::minutes(count);
    case 's': return std::chrono::seconds(count);
    default: throw refusal;
  }
}

std::string required(const Flags& flags, const char* argument, const char* allowed) {
  const auto text = flags.text(argument);
  if (!text || text->empty()) throw InvalidArgument(argument, "nothing", allowed);
  return *text;
}

bool as_json(const Flags& flags) { return flags.text("--format").value_or("table") == "json"; }

void show(const Flags& flags, const server::NewToken& made) {
  if (as_json(flags)) return print(api::write_token(made.token, made.itself) + '\n');
  print(fmt::format("{}\n", made.itself));
  flush_output();
  print_to_stderr(fmt::format("renyi: token {} of {}, role {}; it is shown only now\n", made.token.id, made.token.name,
                              to_string(made.token.role)));
}

void make(const Flags& flags) {
  api::TokenOrder order{.name = required(flags, name_argument, "who the token is for")};
  order.role = api::role_named("--role", required(flags, "--role", "admin, analyst or auditor"));
  std::istringstream scopes(flags.text("--scope").value_or(""));
  for (std::string scope; std::getline(scopes, scope, ',');) order.scopes.push_back(scope);
  if (const auto text = flags.text("--expires-in")) order.expires_in = read_time("--expires-in", *text);
  order.quota = read_quota(flags);
  server::TokenFile file(path_of(flags));
  show(flags, server::make_token(file, ledger_of(flags).get(), order, local_person()));
}

void rotate(const Flags& flags) {
  api::TokenRotation rotation;
  if (const auto text = flags.text("--expires-in")) rotation.expires_in = read_time("--expires-in", *text);
  if (const auto text = flags.text("--keep-for")) rotation.keep_for = read_time("--keep-for", *text);
  server::TokenFile file(path_of(flags));
  const std::string old = required(flags, token_argument, "the id or the name of a token");
  show(flags, server::rotate_token(file, ledger_of(flags).get(), old, rotation, local_person()));
}

std::string state_of(const api::Token& token, const std::string& now) {
  if (!token.revoked.empty()) return "revoked";
  return server::is_valid(token, now) ? "valid" : "expired";
}

void list(const Flags& flags) {
  server::TokenFile file(path_of(flags));
  const std::vector<api::Token> tokens = file.all();
  if (as_json(flags)) return print(api::write_token_list(tokens) + '\n');
  const std::string now = server::time_text(std::chrono::system_clock::now());
  print(fmt::format("{:<14}{:<18}{:<9}{:<9}{:<22}{}\n", "id", "name", "role", "state", "expires", "scopes"));
  for (const api::Token& token : tokens) {
    std::string scopes;
    for (const std::string& scope : token.scopes) scopes += (scopes.empty() ? "" : ", ") + scope;
    std::string line = fmt::format("{:<14}{:<18}{:<9}{:<9}{:<22}{}", token.id, token.name, to_string(token.role),
                                   state_of(token, now), token.expires.empty() ? "never" : token.expires, scopes);
    line.erase(line.find_last_not_of(' ') + 1);
    print(line + '\n');
  }
}

void revoke(const Flags& flags) {
  server::TokenFile file(path_of(flags));
  const std::string wanted = required(flags, token_argument, "the id or the name of a token");
  const api::Token token = server::revoke_token(file, ledger_of(flags).get(), wanted, local_person());
  if (as_json(flags)) return print(api::write_token(token) + '\n');
  print(fmt::format("Revoked: token {} of {}\n", token.id, token.name));
}

template <void (*body)(const Flags&)>
void run(const Flags& flags, const CommandText&) {
  with_question([&](Question& question) {
    question.flag_at = {{"name", name_argument},
                        {"scopes", "--scope"},
                        {"expires_in", "--expires-in"},
                        {"keep_for", "--keep-for"},
                        {"token", token_argument}};
    body(flags);
  });
}

FlagText format_flag() { return {"--format", "table|json", "how to print the answer (default table)", group}; }

Command new_command() {
  std::vector<FlagText> flags = {
      {name_argument, "", "who it is for: letters, digits, and . _ @ + -"},
      {"--role", "admin|analyst|auditor", "admin: all; analyst: its scopes; auditor: reads", "The new token"},
      {"--scope", "SCOPE", "an analyst's scope, and all within it; may be repeated", "The new token", true},
      {"--expires-in", "TIME", "30d, 12h, ...; without it the token does not expire", "The new token"},
      {"--calls-per-minute", "N", "how often it may call (default: as the server says)", "The new token"},
      {"--cpu-per-minute", "TIME", "processor time that its calls may use, such as 20s", "The new token"}};
  for (const FlagText& flag : place_flags()) flags.push_back(flag);
  flags.push_back(ledger_flag());
  flags.push_back(format_flag());
  return {.name = "token new",
          .help = "Make a token, and print it this once",
          .flags = flags,
          .footer =
              "Examples:\n"
              "  renyi token new ana --role analyst --scope clinic --expires-in 90d \\\n"
              "      --tokens new-tokens.json\n"
              "  renyi token new audit --role auditor --tokens new-tokens.json",
          .run = run<make>};
}

Command list_command() {
  std::vector<FlagText> flags = place_flags();
  flags.push_back(format_flag());
  return {.name = "token list",
          .help = "List all tokens, without the tokens themselves",
          .flags = flags,
          .footer =
              "Examples:\n"
              "  renyi token list --tokens tokens.json\n"
              "  renyi token list --tokens tokens.json --json",
          .run = run<list>};
}

Command rotate_command() {
  std::vector<FlagText> flags = {
      {token_argument, "", "the id or the name of a valid token"},
      {"--expires-in", "TIME", "30d, 12h, ...; without it the new token does not expire", "The new token"},
      {"--keep-for", "TIME", "how long the old token stays valid (default: it ends at once)", "The new token"}};
  for (const FlagText& flag : place_flags()) flags.push_back(flag);
  flags.push_back(format_flag());
  return {.name = "token rotate",
          .help = "Replace a token by a new one, and print that this once",
          .flags = flags,
          .footer =
              "The new token has the name, the role, the scopes, the quota and the lineage of the old:\n"
              "calls that began with the old token can be repeated with the new one.\n"
              "\n"
              "Examples:\n"
              "  renyi token rotate ana --expires-in 90d --keep-for 1h --tokens tokens.json",
          .run = run<rotate>};
}

Command revoke_command() {
  std::vector<FlagText> flags = {{token_argument, "", "the id or the name of a valid token"}};
  for (const FlagText& flag : place_flags()) flags.push_back(flag);
  flags.push_back(ledger_flag());
  flags.push_back(format_flag());
  return {.name = "token revoke",
          .help = "Make a token worthless, at once",
          .flags = flags,
          .footer =
              "Examples:\n"
              "  renyi token revoke ana --tokens tokens.json",
          .run = run<revoke>};
}

}  // namespace
}  // namespace token_file

Command token_command() {
  return {.name = "token",
          .help = "Tokens of a server: new, list, rotate, revoke",
          .flags = {},
          .footer =
              "A token is 256 random bits. The file has its digest only, so a token that is\n"
              "lost is replaced by a new one. Servers notice changes at once.\n"
              "\n"
              "Examples:\n"
              "  renyi token list --tokens tokens.json\n"
              "  renyi token revoke ana --tokens tokens.json",
          .run = {},
          .actions = {token_file::new_command(), token_file::list_command(), token_file::rotate_command(),
                      token_file::revoke_command()}};
}

}  // namespace renyi::cli
