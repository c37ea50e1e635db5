// CertificateTrouble: what OpenSSL found wrong with a server's certificates, and what to do about
// each kind: a certificate that has expired is not mended as one of an unknown CA is.
//
// What is here of a certificate is the server's word, made printable when it is shown.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

namespace windlass::http {

struct CertificateTrouble {
  int error = X509_V_OK;           // X509_V_ERR_...; X509_V_OK where the chain is as it should be
  int depth = 0;                   // of the certificate that is wrong: 0 is the server's own
  std::string subject;             // of it
  std::string not_before;          // of it: "2026-12-03 14:15 UTC"
  std::string not_after;           //
  std::vector<std::string> names;  // hosts and addresses that the server's own is for
};

// Verifies all connections of `context` as OpenSSL does, and notes in `trouble` what it finds.
// Connections may outlive whoever else holds `trouble`.
void note_trouble(SSL_CTX* context, std::shared_ptr<CertificateTrouble> trouble);

// "registry.test: its certificate expired on ...; ask ...". `reason` is the library's own word for
// it; `other_name` says that the certificate is for another name than `host`.
std::string explain(const CertificateTrouble& trouble, const std::string& host,
                    const std::string& reason, bool other_name);

}  // namespace windlass::http
