// Connections with and without TLS behind one interface, so that all that is above them is compiled once. Only http.cpp
// includes this file, because Boost's headers take long to compile; it stands by itself to be read by itself.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "apps/server/http.h"
#include "renyi/error.h"

namespace renyi::server::stream {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using Done = std::function<void(const ErrorCode&, std::size_t)>;

class Stream {
 public:
  virtual ~Stream() = default;
  virtual void begin(Done done) = 0;  // the handshake, if there is one
  virtual void read(char* to, std::size_t most, Done done) = 0;
  virtual void write(const char* from, std::size_t bytes, Done done) = 0;  // some of them
  virtual tcp::socket& socket() = 0;
};

class PlainStream : public Stream {
 public:
  explicit PlainStream(tcp::socket socket) : socket_(std::move(socket)) {}
  void begin(Done done) override { done({}, 0); }
  void read(char* to, std::size_t most, Done done) override {
    socket_.async_read_some(asio::mutable_buffers_1(to, most), std::move(done));
  }
  void write(const char* from, std::size_t bytes, Done done) override {
    socket_.async_write_some(asio::const_buffers_1(from, bytes), std::move(done));
  }
  tcp::socket& socket() override { return socket_; }

 private:
  tcp::socket socket_;
};

class TlsStream : public Stream {
 public:
  TlsStream(tcp::socket socket, asio::ssl::context& context) : stream_(std::move(socket), context) {}
  void begin(Done done) override {
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [done = std::move(done)](const ErrorCode& error) { done(error, 0); });
  }
  void read(char* to, std::size_t most, Done done) override {
    stream_.async_read_some(asio::mutable_buffers_1(to, most), std::move(done));
  }
  void write(const char* from, std::size_t bytes, Done done) override {
    stream_.async_write_some(asio::const_buffers_1(from, bytes), std::move(done));
  }
  tcp::socket& socket() override { return stream_.next_layer(); }

 private:
  asio::ssl::stream<tcp::socket> stream_;
};

// Returns nothing where no certificate is named. Throws InvalidArgument for files that cannot be used.
inline std::unique_ptr<asio::ssl::context> tls_context(const HttpSettings& settings) {
  if (settings.tls_certificate.empty()) return nullptr;
  auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  context->set_options(asio::ssl::context::no_sslv2 | asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                       asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_compression |
                       static_cast<asio::ssl::context::options>(SSL_OP_NO_RENEGOTIATION));
  // The suites of TLS 1.2 with authenticated encryption and forward secrecy; all of TLS 1.3 have both.
  SSL_CTX_set_cipher_list(context->native_handle(), "ECDHE+AESGCM:ECDHE+CHACHA20");
  ErrorCode error;
  context->use_certificate_chain_file(settings.tls_certificate, error);
  if (error) {
    throw InvalidArgument("tls-certificate", settings.tls_certificate,
                          "a PEM file of a certificate and those that sign it (" + error.message() + ")");
  }
  context->use_private_key_file(settings.tls_key, asio::ssl::context::pem, error);
  if (error) {
    throw InvalidArgument("tls-key", settings.tls_key,
                          "the PEM file of the certificate's private key (" + error.message() + ")");
  }
  return context;
}

}  // namespace renyi::server::stream
