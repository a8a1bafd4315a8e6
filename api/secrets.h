// Connection strings in messages.
#pragma once

#include <string>
#include <string_view>

namespace renyi::api {

// Returns the message without what may be a password: the rest of every PostgreSQL URI, the user and password of any
// other URI, and the value of every "password=". A user may have put a connection string in any place.
std::string without_passwords(std::string_view message);

}  // namespace renyi::api
