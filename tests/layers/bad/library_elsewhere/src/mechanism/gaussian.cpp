#include <curl/curl.h>

#include <nlohmann/json.hpp>
