#include "poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "windlass/base/check.h"

namespace windlass::http {
namespace {

constexpr int kLongestMilliseconds = 60'000;

int milliseconds_until(TimePoint when, TimePoint now) {
  if (when <= now) return 0;
  if (when == TimePoint::max()) return kLongestMilliseconds;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - now);
  return static_cast<int>(std::min<std::int64_t>(left.count(), kLongestMilliseconds));
}

int library_events(std::uint32_t events) {
  int out = 0;
  if ((events & EPOLLIN) != 0) out |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) out |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) out |= CURL_CSELECT_ERR;
  return out;
}

}  // namespace

Poller::Poller(Clock& clock, CURLM* multi)
    : clock_(clock),
      multi_(multi),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  WINDLASS_CHECK(epoll_ >= 0 && wake_ >= 0);
  epoll_event event{.events = EPOLLIN, .data = {.fd = wake_}};
  WINDLASS_CHECK(epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) == 0);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Poller::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Poller::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
}

Poller::~Poller() {
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, nullptr);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, nullptr);
  close(wake_);
  close(epoll_);
}

void Poller::work_due() {
  if (timer_ > clock_.now()) return;
  timer_ = TimePoint::max();  // before the call, which may set it again
  int running = 0;
  curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
}

void Poller::wait(TimePoint until) {
  std::array<epoll_event, 64> events{};
  const int timeout = milliseconds_until(std::min(until, timer_), clock_.now());
  const int ready = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout);
  for (int i = 0; i < ready; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == wake_) {
      std::uint64_t count = 0;
      static_cast<void>(!read(wake_, &count, sizeof count));
    } else {
      int running = 0;
      curl_multi_socket_action(multi_, event.data.fd, library_events(event.events), &running);
    }
  }
}

void Poller::wake() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(wake_, &one, sizeof one));
}

int Poller::on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known) {
  static_cast<Poller*>(self)->watch(socket, what, known != nullptr);
  return 0;
}

void Poller::watch(curl_socket_t socket, int what, bool known) {
  if (what == CURL_POLL_REMOVE) {
    // It may be closed already, and so be gone by itself.
    epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr);
    return;
  }
  epoll_event event{.events = 0, .data = {.fd = socket}};
  if ((what & CURL_POLL_IN) != 0) event.events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) event.events |= EPOLLOUT;
  // A number may come back for another socket without a word of the end of the first.
  const int first = known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  const int second = known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  if (epoll_ctl(epoll_, first, socket, &event) != 0) epoll_ctl(epoll_, second, socket, &event);
  if (!known) curl_multi_assign(multi_, socket, this);
}

int Poller::on_timer(CURLM*, long milliseconds, void* self) {
  auto* poller = static_cast<Poller*>(self);
  poller->timer_ = milliseconds < 0 ? TimePoint::max()
                                    : saturating_add(poller->clock_.now(),
                                                     std::chrono::milliseconds(milliseconds));
  return 0;
}

}  // namespace windlass::http
