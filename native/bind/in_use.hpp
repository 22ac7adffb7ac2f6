// Which objects native code is using while the interpreter lock is free.
//
// A kernel runs without the lock, and an oracle or callback may run any Python code in the middle of a kernel. So
// whoever uses an object claims it: several may read it, one alone may change it, and a call that would get in the way
// is refused. Only holders of the interpreter lock touch the table, and it is nearly always empty: asking is cheap.
#pragma once

#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>

#include "bind/bind.hpp"

namespace treaty::bind {

// Becomes treaty.UsageError.
struct InUse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr int kChanging = -1;
inline std::unordered_map<const void*, int> in_use;  // number of readers, or kChanging

template <class T>
[[noreturn]] void refuse_use() {
  throw InUse("this " + nb::cast<std::string>(nb::type<T>().attr("__name__")) +
              " is in use: another thread, or the call that led here, is solving, reading or changing it; wait until "
              "that is done, or use a copy");
}

template <class T>
void check_readable(const T& object) {
  if (in_use.empty()) return;
  if (const auto found = in_use.find(&object); found != in_use.end() && found->second == kChanging) refuse_use<T>();
}

template <class T>
void check_changeable(const T& object) {
  if (!in_use.empty() && in_use.contains(&object)) refuse_use<T>();
}

template <class T>
class ReadClaim {
 public:
  ReadClaim(const T* object) : object_(object) {
    if (!object) return;
    check_readable(*object);
    ++in_use[object];
  }
  ReadClaim(const ReadClaim&) = delete;
  ReadClaim& operator=(const ReadClaim&) = delete;
  ~ReadClaim() {
    if (!object_) return;
    const auto found = in_use.find(object_);
    if (--found->second == 0) in_use.erase(found);
  }

 private:
  const T* object_;
};

template <class T>
class ChangeClaim {
 public:
  ChangeClaim(const T* object) : object_(object) {
    check_changeable(*object);
    in_use[object] = kChanging;
  }
  ChangeClaim(const ChangeClaim&) = delete;
  ChangeClaim& operator=(const ChangeClaim&) = delete;
  ~ChangeClaim() { in_use.erase(object_); }

 private:
  const T* object_;
};

// Claims for the time of a scope that is entered and left with the interpreter lock. A null pointer claims nothing.
template <class... T>
struct Reading {
  Reading(const T*... objects) : claims(objects...) {}
  std::tuple<ReadClaim<T>...> claims;
};

template <class... T>
struct Changing {
  Changing(const T*... objects) : claims(objects...) {}
  std::tuple<ChangeClaim<T>...> claims;
};

// A method that changes its object, with the lock held throughout: it only has to be free.
template <class T, class Result, class Base, class... Argument>
auto changing(Result (Base::*method)(Argument...)) {
  return [method](T& self, Argument... arguments) -> Result {
    check_changeable(self);
    return (self.*method)(arguments...);
  };
}

}  // namespace treaty::bind
