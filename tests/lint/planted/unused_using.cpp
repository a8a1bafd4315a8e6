// Found only where the file is looked at by itself.
#include <vector>

namespace unused_using {

// misc-unused-using-decls
using std::vector;

}  // namespace unused_using
