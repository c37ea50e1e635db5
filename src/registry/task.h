// Task: a coroutine that others wait for; Completion: waits for a callback; Detached: a coroutine
// nobody waits for.
//
// A lookup is many waits in a row (answer, token, pause). As coroutines they read from top to
// bottom. Nothing here has a thread: a coroutine goes on where its callback is called.
//
// Only named objects are awaited, never temporaries: g++ 12 destroys some temporaries of an await
// expression twice.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace windlass::registry {

// Starts when it is awaited, which happens once. No exception leaves it: one that would, aborts.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        return ended.promise().waiter;
      }
      void await_resume() noexcept {}
    };

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void return_value(T value) { result.emplace(std::move(value)); }
    [[noreturn]] void unhandled_exception() { std::terminate(); }

    std::optional<T> result;
    std::coroutine_handle<> waiter;
  };

  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
    handle_.promise().waiter = waiter;
    return handle_;
  }
  T await_resume() { return *std::move(handle_.promise().result); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

// Runs at once, until it first waits; frees itself at its end.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { std::terminate(); }
  };
};

// Hands `start` a callback and waits until it is called, which may be before `start` returns and
// from any thread.
template <class T>
class Completion {
 public:
  using Callback = std::move_only_function<void(T)>;

  explicit Completion(std::move_only_function<void(Callback)> start) : start_(std::move(start)) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  bool await_ready() const noexcept { return false; }

  bool await_suspend(std::coroutine_handle<> waiter) {
    // The callback may end the coroutine and this object with it while `start` still runs.
    std::move_only_function<void(Callback)> start = std::move(start_);
    start([this, waiter](T value) {
      value_.emplace(std::move(value));
      if (one_came_.exchange(true)) waiter.resume();
    });
    // Whoever comes second, this line or the callback, lets the coroutine go on.
    return !one_came_.exchange(true);
  }

  T await_resume() { return *std::move(value_); }

 private:
  std::move_only_function<void(Callback)> start_;
  std::optional<T> value_;
  std::atomic<bool> one_came_ = false;
};

}  // namespace windlass::registry
