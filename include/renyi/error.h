// The exceptions of the library. No function reports a problem by returning NaN or a number that is too small: it
// throws one of the three errors below.
//
//     try {
//       std::cout << renyi::epsilon(plan, 2.0).upper() << "\n";
//     } catch (const renyi::InvalidArgument& error) {
//       std::cerr << error.path() << ": " << error.allowed() << "\n";
//     } catch (const renyi::Error& error) {
//       std::cerr << error.what() << "\n";
//     }
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace renyi {

// The three errors, one value per class below.
enum class ErrorKind { invalid_argument, unsupported, not_converged };

// Returns "invalid_argument", "unsupported" or "not_converged".
[[nodiscard]] std::string_view to_string(ErrorKind kind) noexcept;

// The base class of all errors of the library.
class Error : public std::runtime_error {
 public:
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  // Returns the field or JSON path that caused the error; empty if there is none.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 protected:
  Error(ErrorKind kind, std::string path, const std::string& message);

 private:
  ErrorKind kind_;
  std::string path_;
};

// The input is invalid. The error names the field, the value and what is allowed.
class InvalidArgument : public Error {
 public:
  InvalidArgument(std::string field, std::string value, std::string allowed);
  [[nodiscard]] const std::string& value() const noexcept { return value_; }
  [[nodiscard]] const std::string& allowed() const noexcept { return allowed_; }
  // Returns the same error for an enclosing object: its field becomes prefix + field.
  [[nodiscard]] InvalidArgument within(std::string_view prefix) const;

 private:
  std::string value_;
  std::string allowed_;
};

// The input is valid, but this version has no proven answer for it. The error states why, and what to do instead.
class Unsupported : public Error {
 public:
  Unsupported(std::string field, std::string why, std::string instead);
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  [[nodiscard]] const std::string& instead() const noexcept { return instead_; }
  // Returns the same error for an enclosing object: its field becomes prefix + field.
  [[nodiscard]] Unsupported within(std::string_view prefix) const;

 private:
  std::string why_;
  std::string instead_;
};

// A numerical method did not reach its accuracy. The message says where.
class NotConverged : public Error {
 public:
  explicit NotConverged(std::string where);
};

}  // namespace renyi
