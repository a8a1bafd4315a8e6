// Only the readers and the writer of JSON know it.
#include <nlohmann/json.hpp>
