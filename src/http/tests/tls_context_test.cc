#include "tls_context.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>

#include <fstream>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::http {
namespace {

// A folder with freshly made keys and self-signed certificates in it.
class TlsFiles : public testing::Test {
 protected:
  TlsFiles() {
    make("a");
    make("b");
  }
  std::string path(const std::string& name) const { return folder_.path(name); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  void make(const std::string& name) const {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    X509_sign(certificate, key, EVP_sha256());
    std::FILE* file = std::fopen(path(name + ".crt").c_str(), "w");
    PEM_write_X509(file, certificate);
    std::fclose(file);
    file = std::fopen(path(name + ".key").c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }

  const TemporaryFolder folder_;
};

TEST_F(TlsFiles, GoodFilesLoad) {
  write("two.crt", read("a.crt") + "text between is fine\n" + read("b.crt"));
  std::string crlf;
  for (const char c : read("a.crt")) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  write("crlf.crt", crlf);
  for (const TlsSettings& settings :
       {TlsSettings{}, TlsSettings{.ca_files = {path("a.crt"), path("b.crt")}},
        TlsSettings{.ca_files = {path("two.crt")}}, TlsSettings{.ca_files = {path("crlf.crt")}},
        TlsSettings{.client_certificate_file = path("a.crt"), .client_key_file = path("a.key")}}) {
    const auto loaded = TlsContext::load(settings);
    EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
  }
}

TEST_F(TlsFiles, TextsLoadAndBadOnesAreRefused) {
  EXPECT_TRUE(TlsContext::load({.ca_pem = read("a.crt") + read("b.crt"),
                                .client_certificate_pem = read("a.crt"),
                                .client_key_pem = read("a.key")})
                  .has_value());
  for (const TlsSettings& settings :
       {TlsSettings{.ca_pem = "garbage"}, TlsSettings{.client_certificate_pem = read("a.crt")},
        TlsSettings{.client_key_pem = read("a.key")},
        TlsSettings{.client_certificate_pem = read("a.crt"), .client_key_pem = read("b.key")}}) {
    const auto loaded = TlsContext::load(settings);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, ErrorCode::kInvalid);
  }
}

TEST_F(TlsFiles, BadFilesAreNamed) {
  write("junk.crt", "garbage\n");
  write("cut.crt", read("a.crt").substr(0, 100));
  write("mixed.crt", read("a.crt") + read("b.crt").substr(0, 100));
  struct Row {
    TlsSettings settings;
    std::string_view names;
  };
  const Row table[] = {
      {{.ca_files = {path("none.crt")}}, "none.crt"},
      {{.ca_files = {path("junk.crt")}}, "junk.crt"},
      {{.ca_files = {path("cut.crt")}}, "cut.crt"},
      {{.ca_files = {path("a.crt"), path("mixed.crt")}}, "mixed.crt"},
      {{.client_certificate_file = path("a.crt")}, "the key is missing"},
      {{.client_key_file = path("a.key")}, "the certificate is missing"},
      {{.client_certificate_file = path("a.crt"), .client_key_file = path("b.key")}, "b.key"},
      {{.client_certificate_file = path("a.crt"), .client_key_file = path("b.crt")}, "b.crt"},
  };
  for (const Row& row : table) {
    const auto loaded = TlsContext::load(row.settings);
    ASSERT_FALSE(loaded.has_value()) << row.names;
    EXPECT_EQ(loaded.error().code, ErrorCode::kInvalid);
    EXPECT_NE(loaded.error().message.find(row.names), std::string::npos) << loaded.error().message;
  }
}

}  // namespace
}  // namespace windlass::http
