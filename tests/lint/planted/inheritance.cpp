// Classes and their bases.
#include <string>
#include <utility>

namespace inheritance {

// bugprone-copy-constructor-init
class Copyable {
 public:
  Copyable() = default;
  Copyable(const Copyable& other) : number_(other.number_) {}

 private:
  int number_ = 0;
};
class ForgetsItsBase : public Copyable {
 public:
  ForgetsItsBase(const ForgetsItsBase& other) : more_(other.more_) {}

 private:
  int more_ = 0;
};

// bugprone-parent-virtual-call
class Grandparent {
 public:
  virtual ~Grandparent() = default;
  virtual int age() const { return 90; }
};
class Parent : public Grandparent {
 public:
  int age() const override { return 60; }
};
class Child : public Parent {
 public:
  int age() const override { return Grandparent::age() / 3; }
};

// bugprone-virtual-near-miss
class Misspelt : public Grandparent {
 public:
  virtual int agee() const;
};

// cppcoreguidelines-slicing
class Sliced {
 public:
  int number = 0;
};
class Whole : public Sliced {
 public:
  int more = 0;
};
Sliced cuts(const Whole& whole) { return whole; }

// modernize-use-override
class Unmarked : public Grandparent {
 public:
  virtual int age() const;
};

// performance-move-constructor-init
class Base {
 public:
  Base() = default;
  Base(const Base&) = default;
  Base(Base&& other) noexcept : name_(std::move(other.name_)) {}

 private:
  std::string name_;
};
class CopiesItsBase : public Base {
 public:
  CopiesItsBase(CopiesItsBase&& other) noexcept : Base(other) {}
};

}  // namespace inheritance
