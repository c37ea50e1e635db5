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
  // Equal patterns stay in the order added.
  std::ranges::sort(fitting, [](const Entry* a, const Entry* b) {
    const int order = a->pattern.text().compare(b->pattern.text());
    return order != 0 ? order > 0 : a < b;
  });
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
