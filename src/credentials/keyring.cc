#include "windlass/credentials/keyring.h"

#include <algorithm>

namespace windlass::credentials {

void Keyring::add(ImagePattern pattern, Credential login) {
  entries_.push_back({std::move(pattern), std::move(login), std::nullopt});
}

void Keyring::add_problem(ImagePattern pattern, Error problem) {
  entries_.push_back({std::move(pattern), std::nullopt, std::move(problem)});
}

void Keyring::add_all(const Keyring& other) {
  std::ranges::copy(other.entries_, std::back_inserter(entries_));
}

Found Keyring::find(const image::ImageReference& reference) const {
  std::vector<const Entry*> fitting;
  for (const Entry& entry : entries_) {
    if (entry.pattern.covers(reference)) fitting.push_back(&entry);
  }
  std::ranges::stable_sort(fitting, std::ranges::greater{},
                           [](const Entry* entry) { return entry->pattern.text(); });
  Found found;
  for (const Entry* entry : fitting) {
    if (entry->problem) found.problems.push_back(*entry->problem);
    if (!entry->login) continue;
    const auto same =
        std::ranges::find(found.candidates, entry->login->fingerprint(), &Credential::fingerprint);
    if (same == found.candidates.end()) found.candidates.push_back(*entry->login);
  }
  return found;
}

}  // namespace windlass::credentials
