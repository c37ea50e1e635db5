// Servers that repeat what they were sent: some put our Authorization into their errors, and errors
// are shown. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "windlass/http/message.h"

namespace windlass::registry {

// Puts "***" for each of `secrets` in the body of an answer that is no success. A long one is
// recognised by its first 16 characters, for servers cut what they quote.
void mask_secrets(http::Response& response, std::span<const std::string_view> secrets);

// The same for what stands in the Authorization header of `request`, in Basic also decoded.
void mask_login(http::Response& response, const http::Request& request);

// `text`, which may hold a URL that the server of `request` has made of the login.
std::string without_login(std::string text, const http::Request& request);

}  // namespace windlass::registry
