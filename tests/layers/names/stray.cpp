// File-local names that would meet those of other files of its group.
namespace renyi {
namespace {

constexpr int stray = 1;

}  // namespace

int use() { return stray; }

}  // namespace renyi
