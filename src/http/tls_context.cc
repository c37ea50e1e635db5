#include "tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <cerrno>
#include <system_error>

#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::http {
namespace {

// Without a terminal to ask at, a key that wants a passphrase is an error and not a question.
int no_passphrase(char*, int, int, void*) { return -1; }

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const TlsSettings& settings) {
  auto context = std::make_shared<TlsContext>();
  context->roots_.reset(X509_STORE_new());
  if (settings.version_min == TlsVersion::k13) context->version_min_ = TLS1_3_VERSION;
  if (context->roots_ == nullptr) return fail(ErrorCode::kInternal, "no memory for certificates");
  // A trusted intermediate is enough, as with the library's own store.
  X509_STORE_set_flags(context->roots_.get(),
                       X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST);
  if (auto trusted = context->trust_all(settings); !trusted) return fail(trusted.error());
  if (auto identity = context->read_identity(settings); !identity) return fail(identity.error());
  context->system_roots_wanted_ = settings.system_roots;
  context->server_name_ = settings.server_name;
  ERR_clear_error();
  return context;
}

Result<void> check(const TlsSettings& settings) {
  const auto loaded = TlsContext::load(settings);
  if (!loaded) return fail(loaded.error());
  return {};
}

Result<TlsContext::Source> TlsContext::Source::file(const std::string& path) {
  Source source{.bio = nullptr, .name = printable(path)};
  source.bio.reset(BIO_new_file(path.c_str(), "re"));
  if (source.bio == nullptr) {
    const int error = errno;
    ERR_clear_error();
    return fail(ErrorCode::kInvalid,
                format("cannot read {}: {}; check the name and its permissions", source.name,
                       std::error_code(error, std::generic_category()).message()));
  }
  return source;
}

TlsContext::Source TlsContext::Source::text(std::string_view pem, std::string name) {
  Source source{.bio = nullptr, .name = std::move(name)};
  source.bio.reset(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  WINDLASS_CHECK(source.bio != nullptr);
  return source;
}

Result<std::vector<TlsContext::Certificate>> TlsContext::read_certificates(const Source& source) {
  std::vector<Certificate> certificates;
  while (X509* certificate = PEM_read_bio_X509(source.bio.get(), nullptr, &no_passphrase, nullptr))
    certificates.emplace_back(certificate);
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (certificates.empty() || !at_end) {
    return fail(ErrorCode::kInvalid,
                format("{} {} a certificate in PEM form; name a file with BEGIN CERTIFICATE lines, "
                       "which 'openssl x509' makes of other forms",
                       source.name,
                       certificates.empty() ? "does not hold" : "holds something that is not"));
  }
  return certificates;
}

Result<void> TlsContext::trust(const Source& source) {
  Result<std::vector<Certificate>> certificates = read_certificates(source);
  if (!certificates) return fail(certificates.error());
  for (const Certificate& certificate : *certificates)
    X509_STORE_add_cert(roots_.get(), certificate.get());
  return {};
}

Result<void> TlsContext::trust_all(const TlsSettings& settings) {
  for (const std::string& file : settings.ca_files) {
    Result<Source> source = Source::file(file);
    if (!source) return fail(source.error());
    if (Result<void> trusted = trust(*source); !trusted) return trusted;
  }
  if (settings.ca_pem.empty()) return {};
  return trust(Source::text(settings.ca_pem, "the text given as CA certificates"));
}

Result<void> TlsContext::read_identity(const TlsSettings& settings) {
  if (!settings.client_certificate_pem.empty() || !settings.client_key_pem.empty()) {
    return read_identity(Source::text(settings.client_certificate_pem, "the given certificate"),
                         Source::text(settings.client_key_pem, "the given key"));
  }
  const std::string& certificate_file = settings.client_certificate_file;
  const std::string& key_file = settings.client_key_file;
  if (certificate_file.empty() && key_file.empty()) return {};
  if (certificate_file.empty() || key_file.empty()) {
    return fail(
        ErrorCode::kInvalid,
        format("{} is one half of a client certificate: the {} is missing",
               printable(certificate_file + key_file), key_file.empty() ? "key" : "certificate"));
  }
  Result<Source> certificate = Source::file(certificate_file);
  if (!certificate) return fail(certificate.error(), "client certificate");
  Result<Source> key = Source::file(key_file);
  if (!key) return fail(key.error(), "client key");
  return read_identity(*certificate, *key);
}

Result<void> TlsContext::read_identity(const Source& certificate, const Source& key) {
  Result<std::vector<Certificate>> certificates = read_certificates(certificate);
  if (!certificates) return fail(certificates.error(), "client certificate");
  key_.reset(PEM_read_bio_PrivateKey(key.bio.get(), nullptr, &no_passphrase, nullptr));
  if (key_ == nullptr) {
    return fail(ErrorCode::kInvalid,
                format("client key: {} does not hold a private key in PEM form without passphrase; "
                       "'openssl pkey' makes one of other forms",
                       key.name));
  }
  identity_ = *std::move(certificates);
  if (X509_check_private_key(identity_.front().get(), key_.get()) != 1) {
    return fail(ErrorCode::kInvalid,
                format("client key {} does not belong to certificate {}; put the pair that does "
                       "there",
                       key.name, certificate.name));
  }
  return {};
}

void TlsContext::install(SSL_CTX* context) const {
  // Reading them takes a good part of the time of a short run, which may never need them.
  if (system_roots_wanted_) X509_STORE_set_default_paths(roots_.get());
  system_roots_wanted_ = false;
  SSL_CTX_set1_cert_store(context, roots_.get());
  SSL_CTX_set_min_proto_version(context, version_min_);
  if (identity_.empty()) return;
  SSL_CTX_use_certificate(context, identity_.front().get());
  SSL_CTX_clear_chain_certs(context);
  for (std::size_t i = 1; i < identity_.size(); ++i)
    SSL_CTX_add1_chain_cert(context, identity_[i].get());
  SSL_CTX_use_PrivateKey(context, key_.get());
}

}  // namespace windlass::http
