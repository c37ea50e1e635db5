#include "tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <cerrno>
#include <system_error>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::http {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

Result<File> open(const std::string& path) {
  File file(std::fopen(path.c_str(), "re"));
  if (file == nullptr) {
    return fail(ErrorCode::kInvalid,
                format("cannot read {}: {}", printable(path),
                       std::error_code(errno, std::generic_category()).message()));
  }
  return file;
}

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
  if (auto trusted = context->trust(settings.ca_files); !trusted) return fail(trusted.error());
  if (auto identity = context->read_identity(settings); !identity) return fail(identity.error());
  ERR_clear_error();
  return context;
}

Result<std::vector<TlsContext::Certificate>> TlsContext::read_certificates(
    const std::string& file) {
  Result<File> opened = open(file);
  if (!opened) return fail(opened.error());
  std::vector<Certificate> certificates;
  while (X509* certificate = PEM_read_X509(opened->get(), nullptr, &no_passphrase, nullptr))
    certificates.emplace_back(certificate);
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (certificates.empty() || !at_end) {
    return fail(ErrorCode::kInvalid,
                format("{} {} a certificate in PEM form", printable(file),
                       certificates.empty() ? "does not hold" : "holds something that is not"));
  }
  return certificates;
}

Result<void> TlsContext::trust(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    Result<std::vector<Certificate>> certificates = read_certificates(file);
    if (!certificates) return fail(certificates.error(), "CA file");
    for (const Certificate& certificate : *certificates)
      X509_STORE_add_cert(roots_.get(), certificate.get());
  }
  return {};
}

Result<void> TlsContext::read_identity(const TlsSettings& settings) {
  const std::string& certificate_file = settings.client_certificate_file;
  const std::string& key_file = settings.client_key_file;
  if (certificate_file.empty() && key_file.empty()) return {};
  if (certificate_file.empty() || key_file.empty()) {
    return fail(
        ErrorCode::kInvalid,
        format("{} is one half of a client certificate: the {} is missing",
               printable(certificate_file + key_file), key_file.empty() ? "key" : "certificate"));
  }
  Result<std::vector<Certificate>> certificates = read_certificates(certificate_file);
  if (!certificates) return fail(certificates.error(), "client certificate");
  Result<File> opened = open(key_file);
  if (!opened) return fail(opened.error(), "client key");
  key_.reset(PEM_read_PrivateKey(opened->get(), nullptr, &no_passphrase, nullptr));
  if (key_ == nullptr) {
    return fail(ErrorCode::kInvalid,
                format("client key: {} does not hold a private key in PEM form without passphrase",
                       printable(key_file)));
  }
  identity_ = *std::move(certificates);
  if (X509_check_private_key(identity_.front().get(), key_.get()) != 1) {
    return fail(ErrorCode::kInvalid, format("client key {} does not belong to certificate {}",
                                            printable(key_file), printable(certificate_file)));
  }
  return {};
}

void TlsContext::install(SSL_CTX* context) const {
  // Reading them takes a good part of the time of a short run, which may never need them.
  if (!system_roots_added_) X509_STORE_set_default_paths(roots_.get());
  system_roots_added_ = true;
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
