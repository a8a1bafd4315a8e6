// The exceptions of the library. No function reports a problem by returning NaN or a number that is too small: it
// throws one of the errors below.
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

// The errors, one value per class below.
enum class ErrorKind { invalid_argument, unsupported, not_converged, store_failure, limit_reached };

// Returns "invalid_argument", "unsupported", "not_converged", "store_failure" or "limit_reached".
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

// The input is valid, but this version has no sound answer for it. The error states why, and what to do instead.
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

// What ended a computation (renyi/limits.h).
enum class Limit { time, memory, interruption };
// Returns "time", "memory" or "interruption".
[[nodiscard]] std::string_view to_string(Limit limit) noexcept;

// A limit of time or memory was reached, or the work was interrupted, before any bound was known that could be an
// answer. The message states the limit and what to do.
class LimitReached : public Error {
 public:
  LimitReached(Limit limit, std::string why, std::string instead);
  [[nodiscard]] Limit limit() const noexcept { return limit_; }
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  [[nodiscard]] const std::string& instead() const noexcept { return instead_; }

 private:
  Limit limit_;
  std::string why_;
  std::string instead_;
};

// Why a store failed.
enum class StoreFault {
  busy,         // other writers did not finish in time
  full,         // no space is left
  read_only,    // the file or the role may not write
  unsuitable,   // the place cannot keep promises: a network file system
  corrupt,      // what was read is damaged, or is not a ledger
  newer,        // it was written by a newer version
  unreachable,  // no connection, or a library that is missing
  unknown,      // the connection was lost while a transaction ended: repeat the call with its key
  rolled_back,  // the witness has seen entries that are missing here, or other ones
  copied,       // this is a copy of a ledger, or one that was restored
};
// Returns "busy", "full", "read_only", ...
[[nodiscard]] std::string_view to_string(StoreFault fault) noexcept;

// The file or the database of a ledger failed. Nothing that was acknowledged is lost, and nothing was charged, except
// perhaps if the fault is `unknown`. The message says what to do; it never contains a connection string.
class StoreFailure : public Error {
 public:
  StoreFailure(StoreFault fault, std::string why, std::string instead);
  [[nodiscard]] StoreFault fault() const noexcept { return fault_; }
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  [[nodiscard]] const std::string& instead() const noexcept { return instead_; }

 private:
  StoreFault fault_;
  std::string why_;
  std::string instead_;
};

}  // namespace renyi
