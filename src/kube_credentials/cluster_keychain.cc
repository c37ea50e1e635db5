#include "windlass/kube_credentials/cluster_keychain.h"

#include <algorithm>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/keyring.h"
#include "windlass/kube/objects.h"

namespace windlass::kube_credentials {

using credentials::Found;
using credentials::PullSecret;

// One find() under way. The service account's slot is followed by those of its secrets, so that
// the order is the pod's, whatever the order of the answers.
struct ClusterCredentials::Inquiry {
  Inquiry(Scope the_scope, image::ImageReference the_reference,
          credentials::Keychain::Callback the_callback)
      : scope(std::move(the_scope)),
        reference(std::move(the_reference)),
        done(std::move(the_callback)) {}

  const Scope scope;
  const image::ImageReference reference;
  credentials::Keychain::Callback done;

  Mutex mutex;
  std::vector<Object> slots GUARDED_BY(mutex);
  std::size_t awaited GUARDED_BY(mutex) = 0;

  // Makes room for `count` answers more.
  std::size_t await(std::size_t count) EXCLUDES(mutex) {
    MutexLock lock(mutex);
    awaited += count;
    slots.resize(slots.size() + count);
    return slots.size() - count;
  }

  void put(std::size_t slot, const Object& object) EXCLUDES(mutex) {
    MutexLock lock(mutex);
    slots[slot] = object;
  }

  // One answer less to wait for; the last one ends the inquiry.
  void answered() EXCLUDES(mutex) {
    {
      MutexLock lock(mutex);
      if (--awaited > 0) return;
    }
    finish();
  }

  void finish() EXCLUDES(mutex) {
    credentials::Keyring keyring;
    std::vector<Error> failures;
    {
      MutexLock lock(mutex);
      for (const Object& object : slots) {
        if (object.failure) failures.push_back(*object.failure);
        // What is wrong with the secret itself was noted when it was fetched.
        if (object.secret) credentials::add_pull_secret(*object.secret, keyring);
      }
    }
    Found found = keyring.find(reference);
    std::ranges::move(failures, std::back_inserter(found.problems));
    done(std::move(found));
  }
};

ClusterCredentials::ClusterCredentials(Clock& clock, kube::ApiClient& client,
                                       telemetry::Logger& logger, ClusterOptions options)
    : client_(client),
      logger_(logger),
      options_(options),
      objects_(clock,
               {.secret = {},
                .pull_secrets = {},
                .failure = Error{.code = ErrorCode::kCancelled, .message = "cancelled"}},
               {.threads_max = options.fetches_max, .answers_max = options.objects_max}) {}

std::string ClusterCredentials::question(Kind kind, const std::string& name_space,
                                         const std::string& name) {
  return format("{} {}/{}", kind == Kind::kSecret ? "secret" : "serviceaccount", name_space, name);
}

void ClusterCredentials::find(const Scope& scope, const image::ImageReference& reference,
                              credentials::Keychain::Callback done) {
  const auto inquiry = std::make_shared<Inquiry>(scope, reference, std::move(done));
  const bool has_account = !scope.service_account.empty();
  // Of all that is asked for from here, so that no answer is the last too early.
  const std::size_t first = inquiry->await(scope.pull_secrets.size() + (has_account ? 1 : 0) + 1);
  get_secrets(inquiry, scope.pull_secrets, first);
  if (has_account) {
    const std::size_t slot = first + scope.pull_secrets.size();
    get(Kind::kServiceAccount, scope.name_space, scope.service_account,
        [this, inquiry, slot](const Object& account) {
          inquiry->put(slot, account);
          get_secrets(inquiry, account.pull_secrets, inquiry->await(account.pull_secrets.size()));
          inquiry->answered();
        });
  }
  inquiry->answered();
}

void ClusterCredentials::get_secrets(const std::shared_ptr<Inquiry>& inquiry,
                                     const std::vector<std::string>& names,
                                     std::size_t first_slot) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    get(Kind::kSecret, inquiry->scope.name_space, names[i],
        [inquiry, slot = first_slot + i](const Object& secret) {
          inquiry->put(slot, secret);
          inquiry->answered();
        });
  }
}

void ClusterCredentials::get(Kind kind, const std::string& name_space, const std::string& name,
                             credentials::AskOnce<Object>::Callback done) {
  objects_.get(
      question(kind, name_space, name),
      [this, kind, name_space, name](const std::stop_token& stop) {
        return fetch(kind, name_space, name, stop);
      },
      std::move(done));
}

credentials::AskOnce<ClusterCredentials::Object>::Kept ClusterCredentials::fetch(
    Kind kind, const std::string& name_space, const std::string& name,
    const std::stop_token& stop) {
  Result<Object> object = read(kind, name_space, name, stop);
  if (object) return {.answer = *std::move(object), .keep = options_.keep};
  Error error = std::move(object.error());
  // As if it were not there; a pod is started without it, too.
  const bool passed_over = error.code == ErrorCode::kNotFound ||
                           error.code == ErrorCode::kForbidden || !kube::is_object_name(name) ||
                           !kube::is_object_name(name_space);
  if (passed_over) {
    logger_.warn("no pull secret is had from it",
                 {{"object", question(kind, name_space, name)}, error});
    return {.answer = {}, .keep = options_.keep};
  }
  const bool cancelled = error.code == ErrorCode::kCancelled;
  Object nothing;
  nothing.failure = std::move(error);
  return {.answer = std::move(nothing),
          .keep = cancelled ? Duration::zero() : options_.keep_failure};
}

Result<ClusterCredentials::Object> ClusterCredentials::read(Kind kind,
                                                            const std::string& name_space,
                                                            const std::string& name,
                                                            const std::stop_token& stop) {
  Object object;
  if (kind == Kind::kServiceAccount) {
    Result<kube::ServiceAccount> account =
        kube::read_service_account(client_, name_space, name, stop);
    if (!account) return fail(std::move(account.error()));
    object.pull_secrets = std::move(account->image_pull_secrets);
    return object;
  }
  Result<kube::SecretObject> secret = kube::read_secret(client_, name_space, name, stop);
  if (!secret) return fail(std::move(secret.error()));
  object.secret = PullSecret{.source = question(kind, name_space, name),
                             .type = std::move(secret->type),
                             .data = std::move(secret->data)};
  // Said once for each time it is fetched, not for each lookup.
  credentials::Keyring unused;
  for (const std::string& problem : credentials::add_pull_secret(*object.secret, unused))
    logger_.warn("a pull secret is not used whole", {{"problem", problem}});
  return object;
}

void ClusterCredentials::refresh(const Scope& scope) {
  const auto drop = [&](Kind kind, const std::string& name) {
    objects_.drop(question(kind, scope.name_space, name), options_.fresh);
  };
  for (const std::string& name : scope.pull_secrets) drop(Kind::kSecret, name);
  if (scope.service_account.empty()) return;
  if (const auto account =
          objects_.peek(question(Kind::kServiceAccount, scope.name_space, scope.service_account))) {
    for (const std::string& name : account->pull_secrets) drop(Kind::kSecret, name);
  }
  drop(Kind::kServiceAccount, scope.service_account);
}

}  // namespace windlass::kube_credentials
