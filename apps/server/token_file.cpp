#include "apps/server/token_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>

#include "apps/server/secret_text.h"
#include "digest/secret.h"
#include "digest/sha256.h"
#include "renyi/error.h"

namespace renyi::server {

namespace token_file_file {
namespace {

constexpr std::string_view prefix = "renyi_";
constexpr std::size_t letters = 43;

[[noreturn]] void fail(const std::string& path) {
  const int number = errno;
  throw TokenFileFailure(
      number == ENOSPC ? StoreFault::full : StoreFault::read_only,
      "the file of tokens " + path + ": " + std::strerror(number),  // NOLINT(concurrency-mt-unsafe): glibc's is safe
      "check the file and its directory");
}

class File {
 public:
  File(const std::string& path, int flags) : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (number_ < 0) fail(path);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(number_); }

  int number() const { return number_; }
  std::string text() const {
    std::string all;
    std::array<char, 1U << 14U> piece{};
    while (true) {
      const ssize_t bytes = ::read(number_, piece.data(), piece.size());
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes < 0) fail(path_);
      if (bytes == 0) return all;
      all.append(piece.data(), static_cast<std::size_t>(bytes));
    }
  }
  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t bytes = ::write(number_, text.data(), text.size());
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes < 0) fail(path_);
      text.remove_prefix(static_cast<std::size_t>(bytes));
    }
  }
  void settle() const {
    if (::fsync(number_) != 0) fail(path_);
  }
  // Excludes other programs, and other threads, until the file is closed.
  void lock() const {
    while (::flock(number_, LOCK_EX) != 0) {
      if (errno != EINTR) fail(path_);
    }
  }

 private:
  std::string path_;
  int number_;
};

[[noreturn]] void refuse(const std::string& id_or_name) {
  throw InvalidArgument("token", '"' + id_or_name + '"', "the id or the name of a valid token");
}

bool is_same_file(const struct ::stat& one, const struct ::stat& other) {
  return one.st_ino == other.st_ino && one.st_size == other.st_size && one.st_mtim.tv_sec == other.st_mtim.tv_sec &&
         one.st_mtim.tv_nsec == other.st_mtim.tv_nsec && one.st_dev == other.st_dev;
}

}  // namespace
}  // namespace token_file_file

std::string time_text(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Times of this form are in the order of their texts.
bool is_valid(const api::Token& token, const std::string& now) {
  return token.revoked.empty() && (token.expires.empty() || now < token.expires);
}

std::vector<api::Token> TokenFile::read() {
  struct ::stat now {};
  if (::stat(path_.c_str(), &now) != 0) {
    if (errno != ENOENT) token_file_file::fail(path_);
    seen_ = {};
    tokens_.clear();
    return tokens_;
  }
  if (token_file_file::is_same_file(now, seen_)) return tokens_;
  const token_file_file::File file(path_, O_RDONLY);
  if (::fstat(file.number(), &now) != 0) token_file_file::fail(path_);
  try {
    tokens_ = api::read_tokens(file.text());
  } catch (const InvalidArgument& error) {
    seen_ = {};
    tokens_.clear();
    throw TokenFileFailure(StoreFault::corrupt, "the file of tokens " + path_ + " cannot be read: " + error.what(),
                           "restore it, or remove it and start again");
  }
  seen_ = now;
  return tokens_;
}

std::vector<api::Token> TokenFile::all() {
  const std::lock_guard lock(mutex_);
  return read();
}

std::vector<api::Token> TokenFile::read_again() {
  const std::lock_guard lock(mutex_);
  seen_ = {};
  return read();
}

// All tokens are compared, so that the time says nothing about which one was nearly right.
std::optional<api::Token> TokenFile::find(std::string_view presented) {
  using token_file_file::prefix;
  if (!presented.starts_with(prefix) || presented.size() != prefix.size() + token_file_file::letters) return {};
  const std::string digest = digest::sha256(presented);
  const std::string now = time_text(std::chrono::system_clock::now());
  std::optional<api::Token> found;
  for (const api::Token& token : all()) {
    if (digest::is_same_secret(token.sha256, digest) && is_valid(token, now)) found = token;
  }
  return found;
}

std::optional<api::Token> TokenFile::find_id(std::string_view id) {
  const std::string now = time_text(std::chrono::system_clock::now());
  for (const api::Token& token : all()) {
    if (token.id == id && is_valid(token, now)) return token;
  }
  return std::nullopt;
}

void TokenFile::write(const std::vector<api::Token>& tokens) const {
  const std::string temporary = path_ + ".new";
  {
    const token_file_file::File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    if (::fchmod(file.number(), 0600) != 0) token_file_file::fail(temporary);
    file.write(api::write_tokens(tokens));
    file.settle();
  }
  if (::rename(temporary.c_str(), path_.c_str()) != 0) token_file_file::fail(path_);
  const std::filesystem::path parent = std::filesystem::path(path_).parent_path();
  token_file_file::File(parent.empty() ? "." : parent.string(), O_RDONLY | O_DIRECTORY).settle();
}

NewToken TokenFile::add(const api::TokenOrder& order) {
  check(order);
  const token_file_file::File turn(path_ + ".lock", O_RDWR | O_CREAT);
  turn.lock();
  std::vector<api::Token> tokens = all();
  const auto now = std::chrono::system_clock::now();
  for (const api::Token& token : tokens) {
    if (token.name == order.name && is_valid(token, time_text(now))) {
      throw InvalidArgument("name", '"' + order.name + '"',
                            "a name that no valid token has; revoke the other one first");
    }
  }
  api::Token made{
      .name = order.name, .role = order.role, .scopes = order.scopes, .created = time_text(now), .quota = order.quota};
  if (order.expires_in) made.expires = time_text(now + *order.expires_in);
  return keep(std::move(tokens), std::move(made));
}

NewToken TokenFile::keep(std::vector<api::Token> tokens, api::Token made) const {
  std::string itself = std::string(token_file_file::prefix) + random_text();
  made.id = digest::sha256(random_text()).substr(0, 12);
  if (made.lineage.empty()) made.lineage = made.id;
  made.sha256 = digest::sha256(itself);
  tokens.push_back(made);
  write(tokens);
  return {std::move(made), std::move(itself)};
}

// The newest of a name is the last.
api::Token TokenFile::newest(const std::string& id_or_name) {
  const std::string now = time_text(std::chrono::system_clock::now());
  const std::vector<api::Token> tokens = all();
  const auto found = std::find_if(tokens.rbegin(), tokens.rend(), [&](const api::Token& token) {
    return is_valid(token, now) && (token.id == id_or_name || token.name == id_or_name);
  });
  if (found == tokens.rend()) token_file_file::refuse(id_or_name);
  return *found;
}

NewToken TokenFile::add_after(const api::Token& old, const std::optional<std::chrono::seconds>& expires_in) {
  const token_file_file::File turn(path_ + ".lock", O_RDWR | O_CREAT);
  turn.lock();
  const auto now = std::chrono::system_clock::now();
  api::Token made = old;
  made.created = time_text(now);
  made.expires = expires_in ? time_text(now + *expires_in) : "";
  return keep(all(), std::move(made));
}

api::Token TokenFile::end(const std::string& id, std::chrono::seconds keep_for) {
  if (keep_for.count() == 0) return revoke(id);
  const token_file_file::File turn(path_ + ".lock", O_RDWR | O_CREAT);
  turn.lock();
  std::vector<api::Token> tokens = all();
  const auto now = std::chrono::system_clock::now();
  const auto found = std::find_if(tokens.begin(), tokens.end(), [&](const api::Token& token) {
    return token.id == id && is_valid(token, time_text(now));
  });
  if (found == tokens.end()) token_file_file::refuse(id);
  const std::string end = time_text(now + keep_for);
  if (found->expires.empty() || end < found->expires) found->expires = end;
  write(tokens);
  return *found;
}

api::Token TokenFile::revoke(const std::string& id_or_name) {
  const token_file_file::File turn(path_ + ".lock", O_RDWR | O_CREAT);
  turn.lock();
  std::vector<api::Token> tokens = all();
  const std::string now = time_text(std::chrono::system_clock::now());
  // After a rotation two may be valid that have the same name.
  std::optional<api::Token> revoked;
  for (api::Token& token : tokens) {
    if (!token.revoked.empty() || (token.id != id_or_name && token.name != id_or_name)) continue;
    if (!is_valid(token, now) && token.id != id_or_name) continue;
    token.revoked = now;
    revoked = token;
  }
  if (!revoked) token_file_file::refuse(id_or_name);
  write(tokens);
  return *revoked;
}

}  // namespace renyi::server
