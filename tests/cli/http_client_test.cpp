// The HTTP client: addresses, and responses however they arrive.
#include "apps/http_client/http_client.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "renyi/error.h"

namespace renyi::http::http_client_test {

// Gives a response in pieces of some bytes.
class Pieces : public ResponseReader {
 public:
  Pieces(std::string text, std::size_t size) : text_(std::move(text)), size_(size) {}

 protected:
  std::string more() override {
    std::string piece = text_.substr(0, size_);
    text_.erase(0, piece.size());
    return piece;
  }

 private:
  std::string text_;
  std::size_t size_;
};

Response read(const std::string& text, bool& stays_open, std::size_t size = 1) {
  return Pieces(text, size).read(stays_open);
}

TEST(HttpClient, ReadsResponsesInPiecesOfAnySize) {
  for (const std::size_t size : {1U, 2U, 7U, 1000U}) {
    bool stays_open = false;
    const Response plain = read("HTTP/1.1 200 OK\r\nContent-length:  5 \r\nX: y\r\n\r\nhello", stays_open, size);
    EXPECT_EQ(plain.status, 200);
    EXPECT_EQ(plain.body, "hello");
    EXPECT_TRUE(stays_open);
    const Response chunked = read(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\nRetry-After: 2\r\n"
        "Connection: close\r\n\r\n3;x=y\r\nhel\r\nA\r\nlo, world!\r\n0\r\nTrailer: z\r\n\r\n",
        stays_open, size);
    EXPECT_EQ(chunked.status, 503);
    EXPECT_EQ(chunked.body, "hello, world!");
    EXPECT_EQ(chunked.retry_after, 2);
    EXPECT_FALSE(stays_open);
  }
}

TEST(HttpClient, WhatIsCutOffIsNoResponse) {
  for (const std::string whole :
       {"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nhello, world",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"}) {
    bool stays_open = false;
    EXPECT_EQ(read(whole, stays_open).status, 200);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      try {
        static_cast<void>(read(whole.substr(0, size), stays_open));
        FAIL() << size << " of " << whole;
      } catch (const Failure& failure) {
        EXPECT_TRUE(failure.was_sent && failure.may_pass) << failure.why;
      }
    }
  }
}

TEST(HttpClient, WhatIsNoHttpIsRefused) {
  bool stays_open = false;
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  for (const std::string& text :
       {std::string("SSH-2.0-x\r\n\r\n"), std::string("HTTP/2 200\r\n\r\n"), std::string("HTTP/1.1 x\r\n\r\n"),
        ok + "\r\n", ok + "no header\r\n\r\n", ok + "Content-Length: -1\r\n\r\n",
        ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", ok + "Content-Length: 99999999999\r\n\r\n",
        ok + "Content-Length: 1x\r\n\r\na", ok + "Transfer-Encoding: gzip\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", ok + std::string(1U << 20U, 'x')}) {
    EXPECT_THROW(static_cast<void>(read(text, stays_open, 4096)), Failure) << text.substr(0, 80);
  }
}

TEST(HttpClient, BytesBehindAResponseEndTheConnection) {
  bool stays_open = true;
  static_cast<void>(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1", stays_open, 1000));
  EXPECT_FALSE(stays_open);
}

TEST(HttpClient, AddressesAreTakenApart) {
  const Address plain = read_address("f", "http://127.0.0.1:8080/");
  EXPECT_EQ(plain.host + "|" + plain.port + "|" + plain.prefix, "127.0.0.1|8080|");
  const Address secure = read_address("f", "https://[::1]/renyi/");
  EXPECT_TRUE(secure.is_secure);
  EXPECT_EQ(secure.host + "|" + secure.port + "|" + secure.prefix, "::1|443|/renyi");
  for (const char* bad :
       {"", "127.0.0.1", "ftp://a", "http://", "http:///x", "http://a:", "http://a:0", "http://a:65536", "http://a:x",
        "http://[::1", "http://a/?b", "http://a/#b", "http://a b", "http://a\r\nX: y", "http://u:p@a", "https://u@a"}) {
    try {
      static_cast<void>(read_address("f", bad));
      FAIL() << bad;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).find("u:p"), std::string::npos);
    }
  }
}

TEST(HttpClient, OnlyThisMachineIsThisMachine) {
  for (const char* here : {"localhost", "127.0.0.1", "127.1.2.3", "::1", "a.localhost"}) EXPECT_TRUE(is_loopback(here));
  for (const char* there : {"128.0.0.1", "0.0.0.0", "localhost.example.org", "127.0.0.1.example.org", "notlocalhost"}) {
    EXPECT_FALSE(is_loopback(there)) << there;
  }
}

}  // namespace renyi::http::http_client_test
