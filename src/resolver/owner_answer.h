// What an owner is told, made of what its slots came to.
#pragma once

#include <span>
#include <string>

#include "owner.h"
#include "windlass/resolver/answer.h"

namespace windlass::resolver {

// Of an owner whose slots all have their outcome.
Answer answer_of(const Owner& owner);

Answer same_for_all(std::span<const std::string> images, const Outcome& outcome);

}  // namespace windlass::resolver
