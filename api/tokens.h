// Tokens of a server: who may ask what, as the file of tokens and the requests about them say it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace renyi::api {

enum class Role { admin, analyst, auditor };
// Returns "admin", "analyst" or "auditor".
std::string_view to_string(Role role) noexcept;

// What a token may use of a server in a minute; 0: what the server grants to all, which may be everything.
struct TokenQuota {
  std::int64_t calls = 0;
  double cpu_seconds = 0;
  bool operator==(const TokenQuota&) const = default;
};

// A token as it is kept: its digest, not the token.
struct Token {
  std::string id{};  // public, for lists and logs
  std::string name{};
  Role role = Role::auditor;
  std::vector<std::string> scopes{};  // an analyst's: these and those within them
  std::string sha256{};               // the digest of the token
  std::string created{};              // UTC, "2026-11-17T12:00:00Z"
  std::string expires{};              // empty: never
  std::string revoked{};              // empty: it is valid
  // The id of the token that was first; a token that replaces another one keeps its lineage, whose are the keys of
  // calls.
  std::string lineage{};
  TokenQuota quota{};
  bool operator==(const Token&) const = default;
};

// What a new token is to be.
struct TokenOrder {
  std::string name{};
  Role role = Role::auditor;
  std::vector<std::string> scopes{};
  std::optional<std::chrono::seconds> expires_in{};
  TokenQuota quota{};
};

// How a token is replaced by another one of the same name, role, scopes, quota and lineage.
struct TokenRotation {
  std::optional<std::chrono::seconds> expires_in{};  // the new one
  std::chrono::seconds keep_for{};                   // how long the old one is still valid
};

inline constexpr std::int64_t most_calls_per_minute = 100'000'000;
inline constexpr double most_cpu_per_minute = 60'000;  // seconds: of a thousand processors

inline constexpr std::chrono::seconds longest_token_time{std::chrono::hours(24 * 3660)};

// Returns the role of that name. Throws InvalidArgument naming `field`.
Role role_named(const std::string& field, const std::string& name);
// Throws InvalidArgument for a name, scopes or a time that no token may have.
void check(const TokenOrder& order);
void check(const TokenRotation& rotation);

// {"name","role","scopes"?,"expires_in"?,"calls_per_minute"?,"cpu_per_minute"?}. Throws InvalidArgument.
TokenOrder read_token_order(std::string_view body);
// {"expires_in"?,"keep_for"?}. Throws InvalidArgument.
TokenRotation read_token_rotation(std::string_view body);
// {"token"}. Throws InvalidArgument.
std::string read_presented_token(std::string_view body);

// The file of tokens: {"renyi":{"format":1,"kind":"tokens"},"tokens":[...]}. Throws InvalidArgument.
std::vector<Token> read_tokens(std::string_view text);
std::string write_tokens(const std::vector<Token>& tokens);

// The answers: a token without its digest, with the token itself if it is new; all of them; a session.
std::string write_token(const Token& token, const std::string& itself = {});
std::string write_token_list(const std::vector<Token>& tokens);
// `is_demo`: what the ledger has is made up.
std::string write_session(const Token& token, const std::string& csrf, bool is_demo);

}  // namespace renyi::api
