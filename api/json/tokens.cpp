#include "api/tokens.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"

namespace renyi::api {

namespace tokens_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array roles{Role::admin, Role::analyst, Role::auditor};
constexpr std::size_t longest_name = 64, most_scopes = 100;

std::vector<std::string> texts_in(const Field& field, std::string_view key) {
  std::vector<std::string> texts;
  if (const auto list = field.find(key)) {
    for (const Field& item : list->items()) texts.push_back(item.text());
  }
  return texts;
}

bool is_time(const std::string& text) {
  constexpr std::string_view pattern = "0000-00-00T00:00:00Z";
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(),
                    [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; });
}

std::string time_in(const Field& field, std::string_view key) {
  const auto time = field.find(key);
  if (!time) return {};
  if (!is_time(time->text())) time->refuse("a time in UTC, such as \"2026-11-17T12:00:00Z\"");
  return time->text();
}

TokenQuota quota_in(const Field& field) {
  TokenQuota quota;
  if (const auto calls = field.find("calls_per_minute")) quota.calls = calls->integer(1, most_calls_per_minute);
  if (const auto cpu = field.find("cpu_per_minute")) {
    quota.cpu_seconds = cpu->number();
    if (!(quota.cpu_seconds > 0 && quota.cpu_seconds <= most_cpu_per_minute)) cpu->refuse("seconds, up to 60000");
  }
  return quota;
}

Token token_in(const Field& field) {
  field.allow_only(std::array<std::string_view, 11>{"id", "name", "role", "scopes", "sha256", "created", "expires",
                                                    "revoked", "lineage", "calls_per_minute", "cpu_per_minute"});
  Token token{.id = field.require("id", "the id of a token").text(),
              .name = field.require("name", "the name of a token").text(),
              .role = field.require("role", "a role").choose(std::span<const Role>(roles)),
              .scopes = texts_in(field, "scopes"),
              .sha256 = field.require("sha256", "the SHA-256 of a token").text(),
              .created = time_in(field, "created"),
              .expires = time_in(field, "expires"),
              .revoked = time_in(field, "revoked"),
              .quota = quota_in(field)};
  const auto lineage = field.find("lineage");
  token.lineage = lineage ? lineage->text() : token.id;
  const auto are_digits = [](const std::string& text) {
    return text.find_first_not_of("0123456789abcdef") == std::string::npos;
  };
  if (token.sha256.size() != 64 || !are_digits(token.sha256)) field.find("sha256")->refuse("64 hexadecimal digits");
  if (lineage && (token.lineage.size() != 12 || !are_digits(token.lineage))) lineage->refuse("12 hexadecimal digits");
  return token;
}

using Life = std::optional<std::chrono::seconds>;

Life life_in(const Field& field) {
  const auto time = field.find("expires_in");
  return time ? Life(time->integer(1, longest_token_time.count())) : std::nullopt;
}

void check_life(const Life& life) {
  if (!life || (*life >= std::chrono::seconds(1) && *life <= longest_token_time)) return;
  throw InvalidArgument("expires_in", std::to_string(life->count()) + " s", "1 s to 3660 days");
}

Json public_members(const Token& token) {
  Json out = Json::object();
  out["id"] = token.id;
  out["name"] = token.name;
  out["role"] = std::string(to_string(token.role));
  if (token.role == Role::analyst) out["scopes"] = token.scopes;
  out["created"] = token.created;
  if (!token.expires.empty()) out["expires"] = token.expires;
  if (!token.revoked.empty()) out["revoked"] = token.revoked;
  if (token.lineage != token.id) out["lineage"] = token.lineage;
  if (token.quota.calls != 0) out["calls_per_minute"] = token.quota.calls;
  if (token.quota.cpu_seconds != 0) out["cpu_per_minute"] = json::number(token.quota.cpu_seconds);
  return out;
}

}  // namespace
}  // namespace tokens_file

std::string_view to_string(Role role) noexcept {
  switch (role) {
    case Role::admin: return "admin";
    case Role::analyst: return "analyst";
    case Role::auditor: return "auditor";
  }
  return "";
}

Role role_named(const std::string& field, const std::string& name) {
  const json::Json text = name;
  return json::Field(text, field).choose(std::span<const Role>(tokens_file::roles));
}

// The log shows names beside what clients write, as in "ana for bob": without blanks, the two cannot be mistaken.
void check(const TokenOrder& order) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@+-";
  const bool is_name = !order.name.empty() && order.name.size() <= tokens_file::longest_name &&
                       order.name.find_first_not_of(allowed) == std::string::npos;
  if (!is_name) {
    throw InvalidArgument("name", '"' + order.name.substr(0, 2 * tokens_file::longest_name) + '"',
                          "1 to 64 letters, digits, and . _ @ + -");
  }
  if (order.role == Role::analyst && order.scopes.empty()) {
    throw InvalidArgument("scopes", "none", "at least one scope: those that the analyst may charge");
  }
  if (order.role != Role::analyst && !order.scopes.empty()) {
    throw InvalidArgument("scopes", '"' + order.scopes.front() + '"',
                          "none: only an analyst is bound to scopes, a token of the role " +
                              std::string(to_string(order.role)) + " sees all");
  }
  if (order.scopes.size() > tokens_file::most_scopes) {
    throw InvalidArgument("scopes", std::to_string(order.scopes.size()) + " of them", "at most 100 scopes");
  }
  for (const std::string& scope : order.scopes) {
    if (scope.empty() || scope.size() > 200 || scope.front() == '/' || scope.back() == '/') {
      throw InvalidArgument("scopes", '"' + scope.substr(0, 200) + '"',
                            "the name of a scope, such as \"clinic/oncology\"");
    }
  }
  tokens_file::check_life(order.expires_in);
}

void check(const TokenRotation& rotation) {
  tokens_file::check_life(rotation.expires_in);
  if (rotation.keep_for < std::chrono::seconds(0) || rotation.keep_for > longest_token_time) {
    throw InvalidArgument("keep_for", std::to_string(rotation.keep_for.count()) + " s", "0 s to 3660 days");
  }
}

TokenOrder read_token_order(std::string_view body) {
  const json::Json members = json::parse(body);
  const json::Field field(members);
  field.allow_only(
      std::array<std::string_view, 6>{"name", "role", "scopes", "expires_in", "calls_per_minute", "cpu_per_minute"});
  TokenOrder order{
      .name = field.require("name", "who the token is for").text(),
      .role = field.require("role", "one of admin, analyst, auditor").choose(std::span<const Role>(tokens_file::roles)),
      .scopes = tokens_file::texts_in(field, "scopes"),
      .quota = tokens_file::quota_in(field)};
  order.expires_in = tokens_file::life_in(field);
  check(order);
  return order;
}

TokenRotation read_token_rotation(std::string_view body) {
  const json::Json members = body.empty() ? json::Json::object() : json::parse(body);
  const json::Field field(members);
  field.allow_only(std::array<std::string_view, 2>{"expires_in", "keep_for"});
  TokenRotation rotation{.expires_in = tokens_file::life_in(field)};
  if (const auto time = field.find("keep_for")) {
    rotation.keep_for = std::chrono::seconds(time->integer(0, longest_token_time.count()));
  }
  return rotation;
}

std::string read_presented_token(std::string_view body) {
  const json::Json members = json::parse(body);
  const json::Field field(members);
  field.allow_only(std::array<std::string_view, 1>{"token"});
  const json::Field token = field.require("token", "a token");
  // What is refused would be shown.
  if (!token.value().is_string()) throw InvalidArgument("token", "something else", "a text");
  return token.text();
}

std::vector<Token> read_tokens(std::string_view text) {
  const json::Json document = json::parse(text);
  const json::Field field(document);
  field.allow_only(std::array<std::string_view, 2>{"renyi", "tokens"});
  const json::Field header = field.require("renyi", "the header of a file of tokens");
  header.allow_only(std::array<std::string_view, 2>{"format", "kind"});
  header.require("format", "1").integer(1, 1);
  if (header.require("kind", "\"tokens\"").value() != "tokens") header.find("kind")->refuse("\"tokens\"");
  std::vector<Token> tokens;
  const json::Field list = field.require("tokens", "a list of tokens");
  for (const json::Field& item : list.items()) tokens.push_back(tokens_file::token_in(item));
  return tokens;
}

std::string write_tokens(const std::vector<Token>& tokens) {
  json::Json document = json::Json::object();
  document["renyi"]["format"] = 1;
  document["renyi"]["kind"] = "tokens";
  json::Json& list = document["tokens"] = json::Json::array();
  for (const Token& token : tokens) {
    json::Json row = tokens_file::public_members(token);
    row["sha256"] = token.sha256;
    list.push_back(std::move(row));
  }
  return json::write(document) + '\n';
}

std::string write_token(const Token& token, const std::string& itself) {
  json::Json out = tokens_file::public_members(token);
  if (!itself.empty()) out["token"] = itself;
  return json::write(out);
}

std::string write_token_list(const std::vector<Token>& tokens) {
  json::Json out = json::Json::object();
  json::Json& list = out["tokens"] = json::Json::array();
  for (const Token& token : tokens) list.push_back(tokens_file::public_members(token));
  return json::write(out);
}

std::string write_session(const Token& token, const std::string& csrf, bool is_demo) {
  json::Json out = json::Json::object();
  out["name"] = token.name;
  out["role"] = std::string(to_string(token.role));
  out["scopes"] = token.scopes;
  out["expires"] = token.expires.empty() ? json::Json(nullptr) : json::Json(token.expires);
  if (!csrf.empty()) out["csrf"] = csrf;
  if (is_demo) out["demo"] = true;
  return json::write(out);
}

}  // namespace renyi::api
