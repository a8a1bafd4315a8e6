#include "apps/http_client/http_client.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "renyi/error.h"

namespace renyi::http {
namespace http_client_file {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_head = 64U << 10U;
constexpr std::size_t longest_body = 256U << 20U;
constexpr const char* an_address =
    "the address of a server, such as https://budget.example.org or http://127.0.0.1:8080";
constexpr const char* is_it_there = "is it running, and is the address right?";

[[noreturn]] void fail_reading(const std::string& why) {
  throw Failure{why, "is it the address of a renyi server?", true, false};
}

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

template <class Number>
std::optional<Number> number_of(std::string_view text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return std::string(text);
}

bool is_number(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

std::string host_header(const Address& address) {
  const bool is_v6 = address.host.find(':') != std::string::npos;
  std::string host = is_v6 ? '[' + address.host + ']' : address.host;
  if (address.port != (address.is_secure ? "443" : "80")) host += ':' + address.port;
  return host;
}

std::string text_of(const Request& request, const Address& address) {
  std::string text = "POST " + address.prefix + request.path + " HTTP/1.1\r\nHost: " + host_header(address) +
                     "\r\nUser-Agent: renyi\r\nAccept: application/json\r\nContent-Type: application/json\r\n";
  if (!request.authorization.empty()) text += "Authorization: " + request.authorization + "\r\n";
  if (!request.key.empty()) text += "Idempotency-Key: " + request.key + "\r\n";
  return text + "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
}

std::string reason_of_tls() {
  const auto code = ERR_get_error();
  const char* text = code == 0 ? nullptr : ERR_reason_error_string(code);
  return text == nullptr ? "the connection was closed" : text;
}

}  // namespace
}  // namespace http_client_file

Address read_address(const std::string& field, const std::string& url) {
  using namespace http_client_file;
  constexpr std::string_view plain = "http://", secure = "https://";
  Address address{.is_secure = url.starts_with(secure)};
  const auto refuse = [&] { throw InvalidArgument(field, url, an_address); };
  const std::string_view scheme = address.is_secure ? secure : plain;
  std::string_view rest = url;
  const bool has_scheme = url.starts_with(scheme);
  if (has_scheme) rest.remove_prefix(scheme.size());
  const auto slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  if (authority.find('@') != std::string_view::npos) {
    throw InvalidArgument(field, "an address with a name or a password", an_address);
  }
  if (!has_scheme || !std::all_of(url.begin(), url.end(), is_visible)) refuse();
  address.prefix = rest.substr(slash);
  if (address.prefix.find_first_of("?#") != std::string::npos) refuse();
  while (address.prefix.ends_with('/')) address.prefix.pop_back();
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) refuse();
    address.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
  } else {
    const auto colon = std::min(authority.find(':'), authority.size());
    address.host = authority.substr(0, colon);
    port = authority.substr(colon);
  }
  if (address.host.empty()) refuse();
  address.port = address.is_secure ? "443" : "80";
  if (port.empty()) return address;
  const auto number = port.starts_with(':') ? number_of<unsigned>(port.substr(1), 10) : std::nullopt;
  if (!number || *number == 0 || *number > 65535) refuse();
  address.port = port.substr(1);
  return address;
}

bool is_loopback(const std::string& host) {
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24U == 127;
  return host == "localhost" || host.ends_with(".localhost") || host == "::1";
}

// ---- Responses.

std::string ResponseReader::line() {
  while (true) {
    if (const auto end = buffer_.find("\r\n"); end != std::string::npos) {
      std::string found = buffer_.substr(0, end);
      buffer_.erase(0, end + 2);
      return found;
    }
    if (buffer_.size() > http_client_file::longest_head) http_client_file::fail_reading("its headers have no end");
    const std::string next = more();
    if (next.empty()) {
      throw Failure{"the connection was closed before the response was complete", http_client_file::is_it_there, true};
    }
    buffer_ += next;
  }
}

std::string ResponseReader::bytes(std::size_t count) {
  if (count > http_client_file::longest_body) http_client_file::fail_reading("its response is too large");
  while (buffer_.size() < count) {
    const std::string next = more();
    if (next.empty()) {
      throw Failure{"the connection was closed before the response was complete", http_client_file::is_it_there, true};
    }
    buffer_ += next;
  }
  std::string found = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return found;
}

std::string ResponseReader::chunks() {
  std::string body;
  while (true) {
    const std::string head = line();
    const auto size = http_client_file::number_of<std::size_t>(
        http_client_file::trimmed(std::string_view(head).substr(0, head.find(';'))), 16);
    if (!size) http_client_file::fail_reading("its response has a chunk without a size");
    if (*size == 0) break;
    if (*size > http_client_file::longest_body - body.size()) {
      http_client_file::fail_reading("its response is too large");
    }
    body += bytes(*size);
    if (!line().empty()) http_client_file::fail_reading("its response has a chunk without an end");
  }
  while (!line().empty()) continue;  // trailers
  return body;
}

Response ResponseReader::read(bool& stays_open) {
  using namespace http_client_file;
  Response response;
  std::optional<std::size_t> length;
  bool has_chunks = false;
  do {
    const std::string status = line();
    const bool is_http = status.starts_with("HTTP/1.1 ") || status.starts_with("HTTP/1.0 ");
    const auto code = is_http ? number_of<int>(std::string_view(status).substr(9, 3), 10) : std::nullopt;
    if (!code || *code < 100) fail_reading("it does not speak HTTP/1.1");
    response = {.status = *code};
    stays_open = status.starts_with("HTTP/1.1 ");
    std::size_t size = 0;
    for (std::string header = line(); !header.empty(); header = line()) {
      size += header.size();
      const auto colon = header.find(':');
      if (colon == std::string::npos || size > longest_head) fail_reading("its headers are not those of HTTP");
      const std::string name = lower_case(header.substr(0, colon)), value = trimmed(header.substr(colon + 1));
      if (name == "content-length") {
        const auto told = number_of<std::size_t>(value, 10);
        if (!told || (length && *length != *told)) fail_reading("its response has no clear length");
        length = told;
      } else if (name == "transfer-encoding") {
        if (lower_case(value) != "chunked") fail_reading("its response is encoded in an unknown way");
        has_chunks = true;
      } else if (name == "connection") {
        stays_open = lower_case(value) != "close";
      } else if (name == "retry-after") {
        response.retry_after = number_of<int>(value, 10);
      }
    }
  } while (response.status < 200);
  if (has_chunks) {
    response.body = chunks();
  } else if (length) {
    response.body = bytes(*length);
  } else {
    throw Failure{"its response has no length, and may be cut off", is_it_there, true};
  }
  if (!buffer_.empty()) stays_open = false;
  return response;
}

// ---- Connections.

struct Client::Tls {
  SSL_CTX* context = nullptr;
  Tls() = default;
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  ~Tls() { SSL_CTX_free(context); }
};

class Client::Connection : public ResponseReader {
 public:
  Connection(const Address& address, const Tls* tls, http_client_file::Clock::time_point end) : end_(end) {
    try {
      connect(address);
      if (tls != nullptr) handshake(address, *tls);
    } catch (...) {
      close();
      throw;
    }
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override { close(); }

  void send(std::string_view text, http_client_file::Clock::time_point end) {
    end_ = end;
    while (!text.empty()) {
      std::size_t count = 0;
      if (ssl_ != nullptr) {
        const int done = SSL_write(ssl_, text.data(), static_cast<int>(std::min<std::size_t>(text.size(), 1U << 20U)));
        if (done <= 0) {
          wait_for_tls(done);
          continue;
        }
        count = static_cast<std::size_t>(done);
      } else {
        const ssize_t done = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
        if (done < 0) {
          wait_after_error(POLLOUT);
          continue;
        }
        count = static_cast<std::size_t>(done);
      }
      text.remove_prefix(count);
      was_sent_ = true;
    }
  }

 protected:
  std::string more() override {
    std::string bytes(64U << 10U, '\0');
    while (true) {
      if (ssl_ != nullptr) {
        const int done = SSL_read(ssl_, bytes.data(), static_cast<int>(bytes.size()));
        if (done > 0) return bytes.substr(0, static_cast<std::size_t>(done));
        if (SSL_get_error(ssl_, done) == SSL_ERROR_ZERO_RETURN) return {};
        wait_for_tls(done);
      } else {
        const ssize_t done = ::recv(socket_, bytes.data(), bytes.size(), 0);
        if (done >= 0) return bytes.substr(0, static_cast<std::size_t>(done));
        wait_after_error(POLLIN);
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why, const char* instead = http_client_file::is_it_there,
                         bool may_pass = true) const {
    throw Failure{why, instead, was_sent_, may_pass};
  }

  void wait(short events) const {
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(end_ - http_client_file::Clock::now()).count();
    pollfd one{socket_, events, 0};
    const int found = rest <= 0 ? 0 : ::poll(&one, 1, static_cast<int>(rest));
    if (found == 0) fail("it took too long");
    if (found < 0 && errno != EINTR) fail(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe): one thread
  }

  void wait_after_error(short events) const {
    if (errno == EINTR) return;
    if (errno != EAGAIN && errno != EINPROGRESS) {
      fail(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe): one thread
    }
    wait(events);
  }

  void wait_for_tls(int result) const {
    switch (SSL_get_error(ssl_, result)) {
      case SSL_ERROR_WANT_READ: return wait(POLLIN);
      case SSL_ERROR_WANT_WRITE: return wait(POLLOUT);
      default: fail("TLS failed: " + http_client_file::reason_of_tls());
    }
  }

  void connect(const Address& address) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
    if (error != 0) fail(std::string("its name was not found: ") + ::gai_strerror(error));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, &::freeaddrinfo);
    for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
      try {
        return connect(*one);
      } catch (const Failure&) {
        close();
        if (one->ai_next == nullptr) throw;
      }
    }
  }

  void connect(const addrinfo& one) {
    socket_ = ::socket(one.ai_family, one.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, one.ai_protocol);
    if (socket_ < 0) fail(std::strerror(errno));  // NOLINT(concurrency-mt-unsafe): one thread
    if (::connect(socket_, one.ai_addr, one.ai_addrlen) != 0) {
      wait_after_error(POLLOUT);
      int error = 0;
      socklen_t size = sizeof error;
      ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
      if (error != 0) fail(std::strerror(error));  // NOLINT(concurrency-mt-unsafe): one thread
    }
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

  void handshake(const Address& address, const Tls& tls) {
    ssl_ = SSL_new(tls.context);
    if (ssl_ == nullptr) fail("TLS failed: " + http_client_file::reason_of_tls());
    SSL_set_fd(ssl_, socket_);
    // The certificate has to be one of this host.
    if (http_client_file::is_number(address.host)) {
      X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_), address.host.c_str());
    } else {
      SSL_set1_host(ssl_, address.host.c_str());
      SSL_set_tlsext_host_name(ssl_, address.host.c_str());  // NOLINT: a macro of OpenSSL with a cast
    }
    while (true) {
      const int done = SSL_connect(ssl_);
      if (done == 1) return;
      if (const long bad = SSL_get_verify_result(ssl_); bad != X509_V_OK) {
        fail(std::string("its certificate is not trusted: ") + X509_verify_cert_error_string(bad),
             "--ca FILE names the CA that signed it", false);
      }
      wait_for_tls(done);
    }
  }

  void close() noexcept {
    SSL_free(std::exchange(ssl_, nullptr));
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

  http_client_file::Clock::time_point end_;
  int socket_ = -1;
  SSL* ssl_ = nullptr;
  bool was_sent_ = false;
};

Client::Client(Address address, const Settings& settings) : address_(std::move(address)), settings_(settings) {
  if (!address_.is_secure) return;
  tls_ = std::make_unique<Tls>();
  tls_->context = SSL_CTX_new(TLS_client_method());
  if (tls_->context == nullptr) throw Unsupported("", "TLS cannot be used here", "use a server without it");
  SSL_CTX_set_min_proto_version(tls_->context, TLS1_2_VERSION);
  SSL_CTX_set_verify(tls_->context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(tls_->context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  const std::string& file = settings.authorities;
  const int is_read = file.empty() ? SSL_CTX_set_default_verify_paths(tls_->context)
                                   : SSL_CTX_load_verify_locations(tls_->context, file.c_str(), nullptr);
  if (is_read != 1) throw InvalidArgument("--ca", file, "a file with the certificate of a CA (PEM)");
}

Client::~Client() = default;

Response Client::post(const Request& request) {
  const auto end = http_client_file::Clock::now() + settings_.timeout;
  const std::string text = http_client_file::text_of(request, address_);
  std::unique_ptr<Connection> used = std::move(connection_);
  bool stays_open = false;
  const auto ask = [&] {
    used->send(text, end);
    Response response = used->read(stays_open);
    if (stays_open) connection_ = std::move(used);
    return response;
  };
  if (used) {
    try {
      return ask();
    } catch (const Failure&) {
      used.reset();  // the server has ended a connection that nobody used; a new one shows whether it is there
    }
  }
  used = std::make_unique<Connection>(address_, tls_.get(), end);
  return ask();
}

std::string random_digits() {
  std::array<unsigned char, 16> drawn{};
  if (RAND_bytes(drawn.data(), static_cast<int>(drawn.size())) != 1) {
    throw Failure{"the system gives no random bits", "look at its source of randomness", false, false};
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : drawn) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

}  // namespace renyi::http
