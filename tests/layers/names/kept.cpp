// File-local names in a namespace of their file.
namespace renyi {
namespace kept_file {
namespace {

constexpr int kept = 1;

}  // namespace
}  // namespace kept_file

int use() { return kept_file::kept; }

}  // namespace renyi
