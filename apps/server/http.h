// HTTP/1.1 with bounds on everything that a client can make grow: bytes and fields of headers, bytes of bodies, time,
// and connections, of each address and of all. What is answered is decided elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace renyi::server {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method{};
  std::string target{};
  Headers headers{};
  std::string body{};
  std::string peer{};  // the address of the client, without its port
  bool is_secure = false;
  bool is_beyond_limit = false;  // the connection is one of the few that are kept for watching the server
  std::chrono::steady_clock::time_point begun{};  // when its first byte was read

  // Returns the value of a header, whose name is compared without case; nullptr if there is none.
  [[nodiscard]] const std::string* header(std::string_view name) const noexcept;
  [[nodiscard]] const std::string* last_header(std::string_view name) const noexcept;  // where it is there repeatedly
  // Returns whether a header is there more than once.
  [[nodiscard]] bool is_repeated(std::string_view name) const noexcept;
};

struct HttpResponse {
  int status = 200;
  Headers headers{};
  std::string body{};
  std::string_view lasting{};  // a body that outlives the server, instead of `body`
  bool closes = false;         // the connection ends with this response
};

struct HttpSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;         // 0: any that is free
  std::string tls_certificate{};  // PEM files; empty: no TLS
  std::string tls_key{};
  std::size_t most_header_bytes = 16U << 10U;
  std::size_t most_header_fields = 100;
  std::size_t most_body_bytes = 1U << 20U;
  std::size_t most_connections = 256;
  std::size_t most_connections_per_address = 0;    // 0: as many as in all
  std::size_t spare_connections = 16;              // beyond the limit, for watching the server
  std::chrono::milliseconds request_time{10'000};  // from the first byte of a request to its last, and for a handshake
  std::chrono::milliseconds idle_time{30'000};     // between two requests of a connection
  std::chrono::milliseconds stop_time{10'000};     // for what is in flight when the server stops
};

// Numbers for /metrics.
struct HttpCounts {
  std::uint64_t open_connections = 0;
  std::uint64_t accepted_connections = 0;
  std::uint64_t crowded_connections = 0;  // they came when there were too many
  std::uint64_t evicted_connections = 0;  // they let the server wait, and gave way to others
  std::uint64_t dropped_connections = 0;  // too slow
};

class HttpServer {
 public:
  // Answers one request; may be called once, on any thread.
  using Reply = std::function<void(HttpResponse)>;
  // Is called on the thread of `run`, and must not take long: work is for other threads, which call `reply`.
  using Handler = std::function<void(HttpRequest request, Reply reply)>;
  // Makes the response to what is no acceptable request: 400, 408, 413, 431 or 503. The request may be incomplete.
  using Refusal = std::function<HttpResponse(int status, const HttpRequest& request)>;

  using Reloaded = std::function<void(std::string_view fault)>;

  // Listens at once. Throws InvalidArgument for an address, a port or TLS files that cannot be used.
  // `reloaded` is called after SIGHUP, when the certificate was read again, with what was wrong with it, if anything:
  // the old one then stays.
  HttpServer(const HttpSettings& settings, Handler handler, Refusal refusal, Reloaded reloaded);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] HttpCounts counts() const noexcept;
  // Returns whether `run` is ending, and what is in flight is waited for.
  [[nodiscard]] bool is_stopping() const noexcept;

  // Serves until SIGINT, SIGTERM or `stop`. Then nothing more is accepted, what is in flight is answered as long as
  // `stop_time` lasts, and the function returns.
  void run();
  void stop();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Throws InvalidArgument for TLS files that cannot be used.
void check_tls(const HttpSettings& settings);

}  // namespace renyi::server
