#include "windlass/credentials/plugin_keychain.h"

#include <algorithm>
#include <array>

#include "plugin_protocol.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/program.h"

namespace windlass::credentials {
namespace {

std::string image_of(const image::ImageReference& reference) {
  return reference.registry() + '/' + reference.repository();
}

std::string key_of(std::size_t provider, CacheKeyType type,
                   const image::ImageReference& reference) {
  switch (type) {
    case CacheKeyType::kImage: return format("{} image {}", provider, image_of(reference));
    case CacheKeyType::kRegistry: return format("{} registry {}", provider, reference.registry());
    case CacheKeyType::kGlobal: break;
  }
  return format("{} global", provider);
}

constexpr std::array kKeyTypes = {CacheKeyType::kImage, CacheKeyType::kRegistry,
                                  CacheKeyType::kGlobal};

bool covers(const CredentialProvider& provider, const image::ImageReference& reference) {
  return std::ranges::any_of(provider.match_images, [&](const ImagePattern& pattern) {
    return pattern.covers(reference);
  });
}

Result<PluginAnswer> run_plugin(const CredentialProvider& provider, const PluginOptions& options,
                                const image::ImageReference& reference, Clock& clock,
                                const std::stop_token& stop) {
  const std::string source = "credential provider " + provider.name;
  const std::string request = plugin_request(provider.api_version, image_of(reference));
  Program program{.arguments = {(options.folder / provider.name).string()},
                  .input = request,
                  .environment = provider.environment};
  std::ranges::copy(provider.arguments, std::back_inserter(program.arguments));
  Result<ProgramEnd> end = run_program(program,
                                       {.deadline = saturating_add(clock.now(), options.timeout),
                                        .output_bytes_max = options.output_bytes_max},
                                       clock, stop);
  if (!end) {
    Error error = std::move(end.error());
    if (error.code == ErrorCode::kNotFound) {
      error = {.code = ErrorCode::kInvalid,
               .message = format("there is no such program in {}",
                                 printable(options.folder.string(), 4096))};
    }
    if (error.code == ErrorCode::kTimedOut)
      error.message = format("it took longer than {}", to_text(options.timeout));
    return fail(std::move(error), source);
  }
  if (end->status != 0) {
    erase(end->output);
    return fail(
        ErrorCode::kUnauthenticated,
        format("{}: it ended with status {}; run it by hand to see more", source, end->status));
  }
  Result<PluginAnswer> answer = read_plugin_answer(end->output, provider.api_version, source);
  erase(end->output);
  return answer;
}

}  // namespace

// One find() under way.
struct PluginKeychain::Inquiry {
  image::ImageReference reference;
  std::stop_token stop;
  Callback done;
  Keyring logins;
  std::vector<Error> problems;

  void add(const Answer& answer) {
    logins.add_all(answer.logins);
    std::ranges::copy(answer.problems, std::back_inserter(problems));
  }

  void finish() {
    Found found = logins.find(reference);
    std::ranges::move(problems, std::back_inserter(found.problems));
    done(std::move(found));
  }
};

PluginKeychain::PluginKeychain(Clock& clock, std::vector<CredentialProvider> providers,
                               PluginOptions options)
    : clock_(clock),
      providers_(std::move(providers)),
      options_(std::move(options)),
      runs_(clock,
            Answer{.logins = {},
                   .problems = {{.code = ErrorCode::kCancelled, .message = "cancelled"}}},
            {.threads_max = options_.programs_max, .answers_max = options_.answers_max}) {}

void PluginKeychain::find(const image::ImageReference& reference, std::stop_token stop,
                          Callback done) {
  ask(std::make_shared<Inquiry>(reference, std::move(stop), std::move(done), Keyring{},
                                std::vector<Error>{}),
      0);
}

void PluginKeychain::ask(const std::shared_ptr<Inquiry>& inquiry, std::size_t from) {
  for (std::size_t i = from; i < providers_.size(); ++i) {
    if (!covers(providers_[i], inquiry->reference)) continue;
    if (inquiry->stop.stop_requested()) {
      inquiry->problems.push_back({.code = ErrorCode::kCancelled, .message = "cancelled"});
      break;
    }
    if (const std::optional<Answer> answer = kept(i, inquiry->reference)) {
      inquiry->add(*answer);
      continue;
    }
    runs_.get(
        key_of(i, CacheKeyType::kImage, inquiry->reference),
        [this, i, reference = inquiry->reference](const std::stop_token& stop) {
          return run(i, reference, stop);
        },
        [this, i, inquiry](const Answer& answer) {
          inquiry->add(answer);
          ask(inquiry, i + 1);
        });
    return;
  }
  inquiry->finish();
}

AskOnce<PluginKeychain::Answer>::Kept PluginKeychain::run(std::size_t provider,
                                                          const image::ImageReference& reference,
                                                          const std::stop_token& stop) {
  // An answer for another image may have come meanwhile, and be good for this one too.
  if (std::optional<Answer> answer = kept(provider, reference))
    return {.answer = *std::move(answer), .keep = {}};
  const CredentialProvider& config = providers_[provider];
  Result<PluginAnswer> read = run_plugin(config, options_, reference, clock_, stop);
  Answer answer;
  if (!read) {
    const bool cancelled = read.error().code == ErrorCode::kCancelled;
    answer.problems.push_back(std::move(read.error()));
    return {.answer = std::move(answer), .keep = cancelled ? Duration{} : options_.keep_error};
  }
  answer.logins = std::move(read->logins);
  for (std::string& problem : read->problems)
    answer.problems.push_back({.code = ErrorCode::kInvalid, .message = std::move(problem)});
  keep(key_of(provider, read->cache_key_type, reference), answer,
       read->cache_duration.value_or(config.default_cache_duration));
  return {.answer = std::move(answer), .keep = {}};
}

std::optional<PluginKeychain::Answer> PluginKeychain::kept(std::size_t provider,
                                                           const image::ImageReference& reference) {
  MutexLock lock(mutex_);
  for (const CacheKeyType type : kKeyTypes) {
    const auto found = kept_.find(key_of(provider, type, reference));
    if (found == kept_.end()) continue;
    if (clock_.now() < found->second.until) return found->second.answer;
    kept_.erase(found);
  }
  return std::nullopt;
}

void PluginKeychain::keep(const std::string& key, const Answer& answer, Duration duration) {
  if (duration <= Duration::zero()) return;
  MutexLock lock(mutex_);
  const TimePoint now = clock_.now();
  if (kept_.size() >= options_.answers_max)
    std::erase_if(kept_, [&](const auto& entry) { return entry.second.until <= now; });
  if (kept_.size() >= options_.answers_max && !kept_.empty()) {
    kept_.erase(
        std::ranges::min_element(kept_, {}, [](const auto& entry) { return entry.second.until; }));
  }
  kept_.insert_or_assign(
      key, Kept{.answer = answer, .since = now, .until = saturating_add(now, duration)});
}

void PluginKeychain::refresh(const image::ImageReference& reference) {
  for (std::size_t i = 0; i < providers_.size(); ++i)
    runs_.drop(key_of(i, CacheKeyType::kImage, reference), options_.fresh);
  MutexLock lock(mutex_);
  for (std::size_t i = 0; i < providers_.size(); ++i) {
    for (const CacheKeyType type : kKeyTypes) {
      const auto found = kept_.find(key_of(i, type, reference));
      if (found == kept_.end()) continue;
      if (saturating_add(found->second.since, options_.fresh) <= clock_.now()) kept_.erase(found);
    }
  }
}

}  // namespace windlass::credentials
