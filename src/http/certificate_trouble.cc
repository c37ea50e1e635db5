#include "certificate_trouble.h"

#include <arpa/inet.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::http {
namespace {

using Held = std::shared_ptr<CertificateTrouble>;

constexpr std::size_t kNamesMax = 4;  // that are shown

std::string shown_time(const ASN1_TIME* time) {
  std::tm parts{};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return "an unknown date";
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return {text.data(), length};
}

std::string text_of(const ASN1_STRING* string) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
          static_cast<std::size_t>(ASN1_STRING_length(string))};
}

std::string address_of(const ASN1_STRING* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = ASN1_STRING_length(bytes) == 4 ? AF_INET : AF_INET6;
  if (family == AF_INET6 && ASN1_STRING_length(bytes) != 16) return {};
  const char* done = inet_ntop(family, ASN1_STRING_get0_data(bytes), text.data(), text.size());
  return done == nullptr ? std::string() : std::string(done);
}

std::string common_name(const X509* certificate) {
  const X509_NAME* name = X509_get_subject_name(certificate);
  const int at = X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  return at < 0 ? std::string() : text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
}

std::vector<std::string> names_of(X509* certificate) {
  std::vector<std::string> names;
  auto* all = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(all) && names.size() <= kNamesMax; ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all, i);
    std::string text;
    if (name->type == GEN_DNS) text = text_of(name->d.dNSName);
    if (name->type == GEN_IPADD) text = address_of(name->d.iPAddress);
    if (!text.empty()) names.push_back(std::move(text));
  }
  GENERAL_NAMES_free(all);
  if (names.empty()) names.push_back(common_name(certificate));
  return names;
}

// Where a context keeps its trouble; given back with the context.
int place() {
  static const int kIndex = SSL_CTX_get_ex_new_index(
      0, nullptr, nullptr, nullptr, [](void*, void* held, CRYPTO_EX_DATA*, int, long, void*) {
        delete static_cast<Held*>(held);
      });
  return kIndex;
}

int on_certificate(int good, X509_STORE_CTX* store) {
  X509* const certificate = X509_STORE_CTX_get_current_cert(store);
  auto* ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  if (certificate == nullptr || ssl == nullptr) return good;
  auto* held = static_cast<Held*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), place()));
  if (held == nullptr) return good;
  CertificateTrouble& trouble = **held;
  const int depth = X509_STORE_CTX_get_error_depth(store);
  if (depth == 0) trouble.names = names_of(certificate);
  if (good == 1 || trouble.error != X509_V_OK) return good;
  trouble.error = X509_STORE_CTX_get_error(store);
  trouble.depth = depth;
  trouble.subject = common_name(certificate);
  trouble.not_before = shown_time(X509_get0_notBefore(certificate));
  trouble.not_after = shown_time(X509_get0_notAfter(certificate));
  return good;
}

std::string which(const CertificateTrouble& trouble) {
  if (trouble.depth == 0) return "its certificate";
  return format("the certificate of its CA {}", quoted(trouble.subject));
}

std::string who_renews(const CertificateTrouble& trouble) {
  return trouble.depth == 0 ? "who runs it has to renew it"
                            : "who runs it has to get a certificate of a CA that is in force";
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesMax); ++i)
    out += format("{}{}", i == 0 ? "" : ", ", printable(names[i], 100));
  return names.size() > kNamesMax ? out + " and others" : out;
}

constexpr std::string_view kOrClock = "; if the date here is wrong, set this machine's clock";

}  // namespace

void note_trouble(SSL_CTX* context, std::shared_ptr<CertificateTrouble> trouble) {
  auto held = std::make_unique<Held>(std::move(trouble));
  delete static_cast<Held*>(SSL_CTX_get_ex_data(context, place()));
  WINDLASS_CHECK(SSL_CTX_set_ex_data(context, place(), held.release()) == 1);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, &on_certificate);
}

std::string explain(const CertificateTrouble& trouble, const std::string& host,
                    const std::string& reason, bool other_name) {
  switch (trouble.error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return format("{}: {} expired on {}; {}{}", host, which(trouble), trouble.not_after,
                    who_renews(trouble), kOrClock);
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return format("{}: {} is valid from {} only; {}{}", host, which(trouble), trouble.not_before,
                    who_renews(trouble), kOrClock);
    case X509_V_ERR_CERT_REVOKED:
      return format("{}: {} is revoked; {}", host, which(trouble), who_renews(trouble));
    case X509_V_ERR_EE_KEY_TOO_SMALL:
    case X509_V_ERR_CA_KEY_TOO_SMALL:
    case X509_V_ERR_CA_MD_TOO_WEAK:
      return format("{}: {} is too weak: {}; {}", host, which(trouble), reason,
                    who_renews(trouble));
    case X509_V_ERR_INVALID_PURPOSE:
    case X509_V_ERR_INVALID_CA:
    case X509_V_ERR_PATH_LENGTH_EXCEEDED:
    case X509_V_ERR_PERMITTED_VIOLATION:
    case X509_V_ERR_EXCLUDED_VIOLATION:
      return format("{}: {} is not made for this: {}; who runs it has to get another", host,
                    which(trouble), reason);
    default: break;
  }
  if (other_name) {
    return format(
        "{}: the certificate is for another name: {}; ask the server under a name that "
        "stands in its certificate",
        host, trouble.names.empty() ? reason : listed(trouble.names));
  }
  return format(
      "{}: the certificate is not trusted: {}; if the server is the right one, name the "
      "certificate of its CA with --ca-file",
      host, reason);
}

}  // namespace windlass::http
