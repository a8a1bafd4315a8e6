#include "ledger/store/postgres_location.h"

#include <algorithm>
#include <map>
#include <memory>

namespace renyi::ledger {

namespace postgres_location_file {
namespace {

// A password with an unescaped '@', '/' or '?' is taken for a part of the host or the database, which libpq's messages
// repeat. So nothing is repeated, and such parts are refused.
[[noreturn]] void refuse(const char* why) {
  throw InvalidArgument("ledger", why,
                        "postgresql://USER@HOST/DATABASE?schema=NAME, special characters percent-encoded (%40 for @)");
}

bool is_schema_name(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && name.size() <= 63 && is_letter(name.front()) && !name.starts_with("pg_") &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// Takes the parameter `schema` out of the URI.
std::string take_schema(std::string& uri, const std::string& otherwise) {
  const std::size_t user = uri.find("://") + 3;
  const std::size_t user_end = uri.find('@', user);
  std::size_t at = uri.find('?', user_end < uri.find('/', user) ? user_end : user);
  while (at != std::string::npos) {
    const std::size_t end = std::min(uri.find('&', at + 1), uri.size());
    if (uri.compare(at + 1, 7, "schema=") == 0) {
      const std::string name = uri.substr(at + 8, end - at - 8);
      if (!is_schema_name(name)) {
        throw InvalidArgument("ledger", "a schema of another form",
                              "a schema of lower-case letters, digits and underscores, at most 63, not pg_...");
      }
      const bool is_last = end == uri.size();
      uri.erase(is_last ? at : at + 1, end - at);
      return name;
    }
    at = end == uri.size() ? std::string::npos : end;
  }
  return otherwise;
}

}  // namespace
}  // namespace postgres_location_file

bool is_postgres_location(const std::string& location) {
  return location.starts_with("postgresql://") || location.starts_with("postgres://");
}

PostgresLocation read_postgres_location(const std::string& location, std::chrono::milliseconds patience) {
  using postgres_location_file::refuse;
  PostgresLocation result;
  std::string uri = location;
  if (!is_postgres_location(uri) || uri.find('\0') != std::string::npos) refuse("another form of location");
  result.schema = postgres_location_file::take_schema(uri, result.schema);
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
      libpq().conninfo_parse(uri.c_str(), &message), libpq().conninfo_free);
  libpq().free_memory(message);  // it may repeat the URI
  if (!options) refuse("a URI that libpq cannot read");

  // What is not said: how long to wait for a connection, and that a peer that is gone is noticed.
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(patience).count();
  std::map<std::string, std::string> settings = {
      {"application_name", "renyi"}, {"connect_timeout", std::to_string(std::max<long>(seconds, 2))},
      {"keepalives_idle", "10"},     {"keepalives_interval", "5"},
      {"keepalives_count", "3"},     {"tcp_user_timeout", "30000"}};
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string keyword = option->keyword;
    const std::string value = option->val;
    if (keyword == "password" || keyword == "sslpassword") result.address.secrets.push_back(value);
    if ((keyword == "host" || keyword == "hostaddr" || keyword == "dbname") && value.find('@') != std::string::npos) {
      refuse("a host or a database with '@'");
    }
    if (keyword == "port" && value.find_first_not_of("0123456789,") != std::string::npos)
      refuse("a port of another form");
    settings[keyword] = value;
  }
  settings["client_encoding"] = "UTF8";
  result.address.settings.assign(settings.begin(), settings.end());
  return result;
}

}  // namespace renyi::ledger
