// Classes that do not do what they seem to.
namespace classes {

// bugprone-forward-declaration-namespace
namespace there {
class Strayed;
}
class Strayed {};

// bugprone-forwarding-reference-overload
class Greedy {
 public:
  template <class T>
  explicit Greedy(T&& value);
};

// bugprone-undelegated-constructor
class Undelegated {
 public:
  Undelegated() { Undelegated(1); }
  explicit Undelegated(int number) : number_(number) {}

 private:
  int number_ = 0;
};

// bugprone-unhandled-self-assignment
class Owner {
 public:
  Owner& operator=(const Owner& other) {
    delete number_;
    number_ = new int(*other.number_);
    return *this;
  }

 private:
  int* number_ = nullptr;
};

// cppcoreguidelines-pro-type-member-init
class Uninitialized {
 public:
  Uninitialized() {}

 private:
  int number_;
};

// google-explicit-constructor
class Implicit {
 public:
  Implicit(int number);
};

// performance-noexcept-move-constructor
class Throwing {
 public:
  Throwing(Throwing&& other);
};

// performance-trivially-destructible
class Trivial {
 public:
  ~Trivial();
};
Trivial::~Trivial() = default;

// readability-const-return-type
const int returns_a_constant() { return 1; }

// readability-make-member-function-const
class Constant {
 public:
  int number() { return number_; }

 private:
  int number_ = 0;
};

// readability-static-definition-in-anonymous-namespace
namespace {
static int hidden_twice = 0;
}

}  // namespace classes
