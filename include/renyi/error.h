// Typed failures. Nothing in this library answers a problem with NaN or a
// small number: it throws one of the three errors below.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace renyi {

enum class ErrorKind { invalid_argument, unsupported, not_converged };

// "invalid_argument", "unsupported", "not_converged".
std::string_view to_string(ErrorKind kind) noexcept;

class Error : public std::runtime_error {
 public:
  ErrorKind kind() const noexcept { return kind_; }
  // The field or JSON path the error is about; empty when there is none.
  const std::string& path() const noexcept { return path_; }

 protected:
  Error(ErrorKind kind, std::string path, const std::string& message);

 private:
  ErrorKind kind_;
  std::string path_;
};

// Bad input: names the field, the value and what is allowed.
class InvalidArgument : public Error {
 public:
  InvalidArgument(std::string field, std::string value, std::string allowed);
  const std::string& value() const noexcept { return value_; }
  const std::string& allowed() const noexcept { return allowed_; }
  // The same error seen from outside: its field becomes prefix + field.
  InvalidArgument within(std::string_view prefix) const;

 private:
  std::string value_;
  std::string allowed_;
};

// Good input that this version has no proven answer for: why, and what would do.
class Unsupported : public Error {
 public:
  Unsupported(std::string field, std::string why, std::string instead);
  const std::string& why() const noexcept { return why_; }
  const std::string& instead() const noexcept { return instead_; }
  Unsupported within(std::string_view prefix) const;

 private:
  std::string why_;
  std::string instead_;
};

// A numerical method that did not reach its accuracy: where.
class NotConverged : public Error {
 public:
  explicit NotConverged(std::string where);
};

}  // namespace renyi
