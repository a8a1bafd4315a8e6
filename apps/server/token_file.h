// The file of tokens, which several servers and `renyi token` share. It has digests of tokens, never tokens. A token is
// 256 random bits, so that nobody can find it from its SHA-256; slow hashes are for passwords, which people choose.
#pragma once

#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/tokens.h"
#include "renyi/error.h"

namespace renyi::server {

struct NewToken {
  api::Token token{};
  std::string itself{};  // "renyi_" and 43 letters; known only now
};

// What its failure means for a client is the same as that of a ledger: nothing was done. The message names the file,
// which is for those who run the server.
class TokenFileFailure : public StoreFailure {
 public:
  using StoreFailure::StoreFailure;
};

class TokenFile {
 public:
  explicit TokenFile(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  // A file that does not exist has no tokens. Changes by others are noticed at once.
  std::vector<api::Token> all();
  // Reads the file again, whether or not it seems to have changed.
  std::vector<api::Token> read_again();
  // Return a token that is valid now.
  std::optional<api::Token> find(std::string_view presented);
  std::optional<api::Token> find_id(std::string_view id);

  // Makes a token. Throws InvalidArgument if a valid one has the name: what a person has done is known by the name.
  NewToken add(const api::TokenOrder& order);
  // Returns the newest valid token of this id or name. Throws InvalidArgument if there is none.
  api::Token newest(const std::string& id_or_name);
  // Makes a token of the same name, role, scopes, quota and lineage.
  NewToken add_after(const api::Token& old, const std::optional<std::chrono::seconds>& expires_in);
  // Lets a token end at once, or after a time. Throws InvalidArgument unless it is valid.
  api::Token end(const std::string& id, std::chrono::seconds keep_for);
  // Revokes the valid token of this id, or all of this name. Throws InvalidArgument if there is none.
  api::Token revoke(const std::string& id_or_name);

 private:
  std::vector<api::Token> read();
  void write(const std::vector<api::Token>& tokens) const;
  NewToken keep(std::vector<api::Token> tokens, api::Token made) const;

  std::string path_;
  std::mutex mutex_;
  struct ::stat seen_ {};
  std::vector<api::Token> tokens_;
};

// Returns the time as tokens have it: "2026-11-17T12:00:00Z".
std::string time_text(std::chrono::system_clock::time_point time);
bool is_valid(const api::Token& token, const std::string& now);

}  // namespace renyi::server
