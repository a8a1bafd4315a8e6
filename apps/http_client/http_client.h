// A small HTTP/1.1 client for servers of this project: one request at a time, over TCP or TLS.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace renyi::http {

// "https://budget.example.org:8443/renyi".
struct Address {
  bool is_secure = false;
  std::string host{};
  std::string port{};
  std::string prefix{};  // before every path; empty or "/..."
};

// Throws InvalidArgument, about `field`, for what is no address. One with a name or a password is refused, and these
// are not repeated.
Address read_address(const std::string& field, const std::string& url);
// Returns whether the host is this machine.
bool is_loopback(const std::string& host);

struct Request {
  std::string path{};
  std::string body{};           // JSON
  std::string authorization{};  // the value of the header; empty: none
  std::string key{};            // for a call that writes; empty: none
};

struct Response {
  int status = 0;
  std::string body{};
  std::optional<int> retry_after{};  // seconds
};

// Why there is no response. A request that was sent may have been carried out.
struct Failure {
  std::string why{};
  std::string instead{};
  bool was_sent = false;
  bool may_pass = true;  // another attempt may succeed
};

class Client {
 public:
  struct Settings {
    std::string authorities{};  // a file with certificates of CAs (PEM); empty: those that the system trusts
    std::chrono::milliseconds timeout{30'000};  // for a request with its response
  };
  // Throws InvalidArgument if the file with the CAs cannot be read.
  Client(Address address, const Settings& settings);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Posts a request, and waits for the response. Throws Failure. A connection that stays open is used again.
  Response post(const Request& request);

 private:
  class Connection;
  struct Tls;

  Address address_;
  Settings settings_;
  std::unique_ptr<Tls> tls_;
  std::unique_ptr<Connection> connection_;
};

// Returns 128 random bits in hexadecimal digits. Throws Failure if the system gives none.
std::string random_digits();

// Reads the response of which `more` returns the next bytes, and nothing at the end of the connection. Sets whether the
// connection can be used again. Throws Failure for what is no response of HTTP/1.1, or one that is too large.
class ResponseReader {
 public:
  virtual ~ResponseReader() = default;
  Response read(bool& stays_open);

 protected:
  virtual std::string more() = 0;

 private:
  std::string line();
  std::string bytes(std::size_t count);
  std::string chunks();

  std::string buffer_;
};

}  // namespace renyi::http
