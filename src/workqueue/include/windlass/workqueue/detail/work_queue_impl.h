// The bodies of WorkQueue and Item. Include windlass/workqueue/work_queue.h instead.
#pragma once

#include <utility>

#include "windlass/workqueue/detail/shared_queue.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {

template <QueueKey Key>
void Item<Key>::done() {
  if (shared_ != nullptr) std::exchange(shared_, nullptr)->finish(handle_, std::nullopt);
}

template <QueueKey Key>
void Item<Key>::put_back() {
  if (shared_ != nullptr) std::exchange(shared_, nullptr)->finish(handle_, priority_);
}

template <QueueKey Key>
WorkQueue<Key>::WorkQueue(Clock& clock, Options options)
    : shared_(new detail::SharedQueue<Key>(clock, std::move(options))) {}

template <QueueKey Key>
WorkQueue<Key>::~WorkQueue() {
  shared_->abandon();
}

template <QueueKey Key>
bool WorkQueue<Key>::add(View key, AddOptions options) {
  return shared_->add(key, {.priority = options.priority});
}

template <QueueKey Key>
std::size_t WorkQueue<Key>::add_batch(std::span<const Key> keys, AddOptions options) {
  return shared_->add_batch(keys, {.priority = options.priority});
}

template <QueueKey Key>
bool WorkQueue<Key>::add_after(View key, Duration delay, AddAfterOptions options) {
  const detail::Arrival arrival{.priority = options.priority, .later = true};
  return shared_->add_after(key, delay, options.mode, arrival) != detail::Added::kRefused;
}

template <QueueKey Key>
bool WorkQueue<Key>::add_rate_limited(View key, AddOptions options) {
  return shared_->add_rate_limited(key, options);
}

template <QueueKey Key>
std::optional<Item<Key>> WorkQueue<Key>::get(const std::stop_token& stop) {
  return shared_->get_until(TimePoint::max(), stop);
}

template <QueueKey Key>
std::optional<Item<Key>> WorkQueue<Key>::get_until(TimePoint deadline,
                                                   const std::stop_token& stop) {
  return shared_->get_until(deadline, stop);
}

template <QueueKey Key>
std::optional<Item<Key>> WorkQueue<Key>::try_get() {
  return shared_->try_get();
}

template <QueueKey Key>
std::vector<Item<Key>> WorkQueue<Key>::get_batch(std::size_t max, TimePoint deadline,
                                                 const std::stop_token& stop) {
  return shared_->get_batch(max, deadline, stop);
}

template <QueueKey Key>
void WorkQueue<Key>::set_on_wake(std::function<void()> on_wake) {
  shared_->set_on_wake(std::move(on_wake));
}

template <QueueKey Key>
void WorkQueue<Key>::forget(View key) {
  shared_->forget(key);
}

template <QueueKey Key>
int WorkQueue<Key>::num_requeues(View key) const {
  return shared_->limiter().num_requeues(key);
}

template <QueueKey Key>
bool WorkQueue<Key>::cancel_delayed(View key) {
  return shared_->cancel_delayed(key);
}

template <QueueKey Key>
bool WorkQueue<Key>::remove(View key) {
  return shared_->remove(key);
}

template <QueueKey Key>
std::size_t WorkQueue<Key>::len() const {
  return shared_->look([](const auto& core, auto&) { return core.ready(); });
}

template <QueueKey Key>
std::size_t WorkQueue<Key>::delayed_len() const {
  return shared_->look([](const auto& core, auto&) { return core.delayed(); });
}

template <QueueKey Key>
std::size_t WorkQueue<Key>::running_len() const {
  return shared_->look([](const auto& core, auto&) { return core.running(); });
}

template <QueueKey Key>
bool WorkQueue<Key>::empty() const {
  return shared_->look([](const auto& core, auto&) {
    return core.ready() == 0 && core.delayed() == 0 && core.running() == 0;
  });
}

template <QueueKey Key>
void WorkQueue<Key>::shut_down() {
  shared_->shut_down();
}

template <QueueKey Key>
bool WorkQueue<Key>::shut_down_and_drain(DrainOptions options) {
  return shared_->drain(options.deadline);
}

template <QueueKey Key>
bool WorkQueue<Key>::shutting_down() const {
  return shared_->look([](const auto& core, auto&) { return core.shutting_down(); });
}

template <QueueKey Key>
bool WorkQueue<Key>::over() const {
  return shared_->look([](const auto& core, auto&) { return core.over(); });
}

template <QueueKey Key>
TimePoint WorkQueue<Key>::next_due() const {
  return shared_->look([](const auto& core, auto&) { return core.next_due(); });
}

template <QueueKey Key>
QueueStats WorkQueue<Key>::stats() const {
  return shared_->look([](const auto& core, auto& now) { return core.stats(now.record()); });
}

template <QueueKey Key>
std::optional<KeySnapshot<Key>> WorkQueue<Key>::find(View key) const {
  return shared_->find(key);
}

template <QueueKey Key>
std::vector<KeySnapshot<Key>> WorkQueue<Key>::snapshot(std::size_t max) const {
  return shared_->look([max](const auto& core, auto&) { return core.snapshot(max); });
}

template <QueueKey Key>
const std::string& WorkQueue<Key>::name() const {
  return shared_->name();
}

}  // namespace windlass::workqueue
