#include "windlass/image/image_reference.h"

#include <gtest/gtest.h>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::image {
namespace {

const std::string kHex256(64, 'b');
const std::string kHex512(128, 'c');

struct Accepted {
  std::string text;
  std::string registry;
  std::string repository;
  std::string tag;     // "" for none
  std::string digest;  // "" for none
};

void expect_accepted(const Accepted& row) {
  SCOPED_TRACE(row.text);
  const auto parsed = ImageReference::parse(row.text);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->written(), row.text);
  EXPECT_EQ(parsed->registry(), row.registry);
  EXPECT_EQ(parsed->repository(), row.repository);
  EXPECT_EQ(parsed->tag().value_or(""), row.tag);
  EXPECT_EQ(parsed->digest() ? parsed->digest()->to_string() : "", row.digest);
}

TEST(ImageReference, FillsInDockersDefaults) {
  const Accepted table[] = {
      {"ubuntu", "docker.io", "library/ubuntu", "latest", ""},
      {"ubuntu:22.04", "docker.io", "library/ubuntu", "22.04", ""},
      {"library/ubuntu", "docker.io", "library/ubuntu", "latest", ""},
      {"docker.io/ubuntu", "docker.io", "library/ubuntu", "latest", ""},
      {"docker.io/library/ubuntu:jammy", "docker.io", "library/ubuntu", "jammy", ""},
      {"index.docker.io/ubuntu", "docker.io", "library/ubuntu", "latest", ""},
      {"index.docker.io/nginx:1", "docker.io", "library/nginx", "1", ""},
      {"registry-1.docker.io/ubuntu", "docker.io", "library/ubuntu", "latest", ""},
      {"Docker.IO/ubuntu", "docker.io", "library/ubuntu", "latest", ""},
      {"docker.io/team/nginx", "docker.io", "team/nginx", "latest", ""},
      {"user/app:v1", "docker.io", "user/app", "v1", ""},
      {"a/b/c:t", "docker.io", "a/b/c", "t", ""},
      {"a", "docker.io", "library/a", "latest", ""},
      {"gcr.io", "docker.io", "library/gcr.io", "latest", ""},
      {"example.com:5000", "docker.io", "library/example.com", "5000", ""},
      {"localhost", "docker.io", "library/localhost", "latest", ""},
      {"local/app", "docker.io", "local/app", "latest", ""},
      {"foo.bar:v1", "docker.io", "library/foo.bar", "v1", ""},
      {"app@sha256:" + kHex256, "docker.io", "library/app", "", "sha256:" + kHex256},
  };
  for (const Accepted& row : table) expect_accepted(row);
}

TEST(ImageReference, TakesAFirstComponentWithDotOrPortAsRegistry) {
  const Accepted table[] = {
      {"gcr.io/p/i", "gcr.io", "p/i", "latest", ""},
      {"gcr.io/google.com/p/i:v1", "gcr.io", "google.com/p/i", "v1", ""},
      {"gcr.io/ubuntu", "gcr.io", "ubuntu", "latest", ""},
      {"ns.x/app", "ns.x", "app", "latest", ""},
      {"example.com:5000/app:v1", "example.com:5000", "app", "v1", ""},
      {"example:5000/app", "example:5000", "app", "latest", ""},
      {"localhost/app:v1", "localhost", "app", "v1", ""},
      {"localhost:5000/app", "localhost:5000", "app", "latest", ""},
      {"localhost.localdomain/app:v1", "localhost.localdomain", "app", "v1", ""},
      {"foo.localhost:80/app", "foo.localhost:80", "app", "latest", ""},
      {"127.0.0.1:5000/app:v1", "127.0.0.1:5000", "app", "v1", ""},
      {"127.0.0.2:5000/app", "127.0.0.2:5000", "app", "latest", ""},
      {"10.1.2.3/app", "10.1.2.3", "app", "latest", ""},
      {"172.32.0.1/app", "172.32.0.1", "app", "latest", ""},
      {"192.168.1.1:5000/app", "192.168.1.1:5000", "app", "latest", ""},
      {"kind.local/app", "kind.local", "app", "latest", ""},
      {"reg.svc.cluster.local:5000/app:1", "reg.svc.cluster.local:5000", "app", "1", ""},
      {"[::1]:5000/app:v1", "[::1]:5000", "app", "v1", ""},
      {"[2001:db8::1]:5000/app", "[2001:db8::1]:5000", "app", "latest", ""},
      {"[2001:DB8::3]:5000/app:v1", "[2001:db8::3]:5000", "app", "v1", ""},
      {"[fd00::1]/app", "[fd00::1]", "app", "latest", ""},
      {"[::1]/app@sha256:" + kHex256, "[::1]", "app", "", "sha256:" + kHex256},
      {"GCR.IO/p/i", "gcr.io", "p/i", "latest", ""},
      {"Registry.Test/team/app:V1", "registry.test", "team/app", "V1", ""},
  };
  for (const Accepted& row : table) expect_accepted(row);
}

TEST(ImageReference, TakesTheWholeGrammarOfNamesTagsAndDigests) {
  const std::string t128(128, 't');
  const std::string a255(255, 'a');
  const Accepted table[] = {
      {"gcr.io/p/i:V1.0-RC_2", "gcr.io", "p/i", "V1.0-RC_2", ""},
      {"gcr.io/app__x", "gcr.io", "app__x", "latest", ""},
      {"a__b/c--d/e.f", "docker.io", "a__b/c--d/e.f", "latest", ""},
      {"gcr.io/app:_tag", "gcr.io", "app", "_tag", ""},
      {"gcr.io/app:" + t128, "gcr.io", "app", t128, ""},
      {"gcr.io/" + a255, "gcr.io", a255, "latest", ""},
      {std::string(247, 'a'), "docker.io", "library/" + std::string(247, 'a'), "latest", ""},
      {"gcr.io/p/i:v1@sha256:" + kHex256, "gcr.io", "p/i", "v1", "sha256:" + kHex256},
      {"gcr.io/p/i@sha512:" + kHex512, "gcr.io", "p/i", "", "sha512:" + kHex512},
      {"registry.test:5000/team/app:1.4@sha256:" + kHex256, "registry.test:5000", "team/app", "1.4",
       "sha256:" + kHex256},
      {"app:1.4@sha256:" + kHex256, "docker.io", "library/app", "1.4", "sha256:" + kHex256},
      {kHex256 + ":v1", "docker.io", "library/" + kHex256, "v1", ""},
  };
  for (const Accepted& row : table) expect_accepted(row);
}

struct Refused {
  std::string text;
  std::size_t offset;
  std::string what;  // the message ends with this
};

void expect_refused(const Refused& row) {
  SCOPED_TRACE(printable(row.text));
  const auto parsed = ImageReference::parse(row.text);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(parsed.error().message,
            format("invalid image reference {} at offset {}: {}",
                   windlass::quoted(without_password(row.text)), row.offset, row.what));
}

const std::string kRepository = "a lower-case letter or digit of a repository name";
const std::string kHost = "a letter or digit of a host name";

TEST(ImageReference, RefusesMalformedNames) {
  const Refused table[] = {
      {"", 0, "expected an image name such as nginx:1.27"},
      {":", 0, "expected " + kRepository + ", found ':'"},
      {"/app", 0, "expected " + kRepository + ", found '/'"},
      {"/a", 0, "expected " + kRepository + ", found '/'"},
      {"app/", 4, "expected " + kRepository + ", found the end"},
      {"a//b", 2, "expected " + kRepository + ", found '/'"},
      {"gcr.io//i", 7, "expected " + kRepository + ", found '/'"},
      {"gcr.io/p//i", 9, "expected " + kRepository + ", found '/'"},
      {"gcr.io/-app", 7, "expected " + kRepository + ", found '-'"},
      {"-a/b", 0, "expected " + kRepository + ", found '-'"},
      {"a/-b", 2, "expected " + kRepository + ", found '-'"},
      {"gcr.io/app___x", 12, "expected " + kRepository + ", found '_'"},
      {"a___b", 3, "expected " + kRepository + ", found '_'"},
      {"gcr.io/app..x", 11, "expected " + kRepository + ", found '.'"},
      {"a..b", 2, "expected " + kRepository + ", found '.'"},
      {"gcr.io/../x", 7, "expected " + kRepository + ", found '.'"},
      {"ubuntu%latest", 6, "expected " + kRepository + ", found '%'"},
      {"gcr.io/\xC3\xA4pp", 7, "expected " + kRepository + ", found a character that is not ASCII"},
      {"{{ .Values.image }}", 0, "expected " + kRepository + ", found a template ('{{')"},
      {"app-${X}", 4, "expected " + kRepository + ", found a variable ('$')"},
      {"gcr.io/" + std::string(256, 'a'), 262, "a repository name has at most 255 characters"},
      {std::string(248, 'a'), 247, "a repository name has at most 255 characters"},
      {kHex256, 0, "64 hex digits alone are an image ID: write name@sha256:..."},
  };
  for (const Refused& row : table) expect_refused(row);
}

TEST(ImageReference, ShowsTheLowerCaseNameThatWasMeant) {
  const std::string meant = "repository names are lower case: did you mean ";
  const std::string registry = " a registry has a dot or a port, or is localhost";
  const Refused table[] = {
      {"A picture of a cat", 0, "repository names are lower case"},
      {"NotARef:::x", 0, "repository names are lower case"},
      {"gcr.io/App@x", 7, "repository names are lower case"},
      {"Two..dots", 0, "repository names are lower case"},
      {"Ubuntu", 0, meant + "\"ubuntu\"?"},
      {"gcr.io/P/i", 7, meant + "\"gcr.io/p/i\"?"},
      {"registry.test/Team/App:V1", 14, meant + "\"registry.test/team/app:V1\"?"},
      {"Foo/bar", 0, meant + "\"foo/bar\"?" + registry},
      {"FOO/bar:v1", 0, meant + "\"foo/bar:v1\"?" + registry},
      {"LOCALHOST/app", 0, meant + "\"localhost/app\"?" + registry},
      {"Localhost/app:v1", 0, meant + "\"localhost/app:v1\"?" + registry},
  };
  for (const Refused& row : table) expect_refused(row);
}

TEST(ImageReference, RefusesMalformedRegistries) {
  const std::string brackets = "an IPv6 address is written in brackets: [::1]:5000";
  const Refused table[] = {
      {"host.com:abc/app", 9, "expected a port number, found 'a'"},
      {"host.com:/app", 9, "expected a port number, found '/'"},
      {"-host.com/app", 0, "expected " + kHost + ", found '-'"},
      {"host-.com/app", 4, "expected " + kHost + ", found '-'"},
      {"host..com/app", 5, "expected " + kHost + ", found '.'"},
      {".com/app", 0, "expected " + kHost + ", found '.'"},
      {"host./app", 5, "expected " + kHost + ", found '/'"},
      {"my_host.com/app", 2, "expected " + kHost + ", found '_'"},
      {"gcr?io.com/p/i", 3, "expected " + kHost + ", found '?'"},
      {"::1/app", 0, brackets},
      {"2001:db8::3:5000/app", 5, "expected a port number; " + brackets},
      {"[fe80::1%25eth0]:5000/app", 8, "an IPv6 zone has no place in an image reference"},
      {"[::1", 0, "expected a repository: [address]:port/name"},
      {"[::1]:5000", 0, "expected a repository: [address]:port/name"},
      {"[::1/app", 4, "expected an IPv6 address and ']', found '/'"},
      {"[]/app", 1, "expected an IPv6 address and ']', found ']'"},
      {"[::1]x/app", 5, "expected ':' and a port, or '/', found 'x'"},
  };
  for (const Refused& row : table) expect_refused(row);
}

TEST(ImageReference, RefusesMalformedTagsAndDigests) {
  const std::string no_digest = "expected a digest: sha256: or sha512: and hex digits";
  const Refused table[] = {
      {"app:", 4, "expected a tag after ':', found the end"},
      {"gcr.io/p/i:@sha256:" + kHex256, 11, "expected a tag after ':', found '@'"},
      {"gcr.io/app:.tag", 11, "expected a letter, digit or '_' of a tag, found '.'"},
      {"gcr.io/app:v1:v2", 13, "expected a tag or its end, found ':'"},
      {"gcr.io/app:" + std::string(129, 't'), 139, "a tag has at most 128 characters"},
      {"gcr.io/p/i@", 11, no_digest},
      {"user@host.com/p/i", 5, no_digest},
      {"gcr.io/p/i@sha256:abc", 21, "sha256 takes 64 hex digits, found 3"},
      {"gcr.io/p/i@sha512:" + kHex256, 82, "sha512 takes 128 hex digits, found 64"},
      {"gcr.io/p/i@SHA256:" + kHex256, 11, "digest algorithms are lower case: write sha256"},
      {"gcr.io/p/i@sha256:" + std::string(64, 'B'), 18,
       "the hex digits of a digest are lower case"},
      {"gcr.io/p/i@md5:0123456789abcdef0123456789abcdef", 11,
       "digest algorithm \"md5\" is not known: expected sha256 or sha512"},
      {"gcr.io/p/i@sha256:" + kHex256 + "@sha256:" + kHex256, 82, "a reference has one digest"},
      {"gcr.io/p/i@sha256:" + kHex256 + ":v1", 82, "a tag goes before the digest: name:tag@digest"},
      {"gcr.io/p/i@sha256:" + kHex256 + "0", 82, "expected the end after 64 hex digits, found '0'"},
  };
  for (const Refused& row : table) expect_refused(row);
}

TEST(ImageReference, MakesStrayCharactersAndUrlsVisible) {
  const std::string url = "this is a URL, not an image reference: leave out ";
  const Refused table[] = {
      {" ubuntu", 0, "expected " + kRepository + ", found a blank"},
      {" registry.test/app:v1", 0, "expected " + kHost + ", found a blank"},
      {"registry.test/app:v1\n", 20, "expected a tag or its end, found a line break"},
      {"registry.test/app :v1", 17, "expected " + kRepository + ", found a blank"},
      {std::string("registry.test/app:v1\0", 21), 20,
       "expected a tag or its end, found a control character"},
      {"https://registry.test/app:v1", 0, url + "\"https://\""},
      {"http://gcr.io/p/i", 0, url + "\"http://\""},
      {"docker://registry.test/r/app:1", 0, url + "\"docker://\""},
  };
  for (const Refused& row : table) expect_refused(row);
}

TEST(ImageReference, ComparesByMeaning) {
  const auto nginx = ImageReference::parse("nginx");
  EXPECT_EQ(nginx, ImageReference::parse("docker.io/library/nginx:latest"));
  EXPECT_EQ(nginx, ImageReference::parse("index.docker.io/nginx"));
  EXPECT_EQ(ImageReference::parse("GCR.io/p/i"), ImageReference::parse("gcr.io/p/i:latest"));
  EXPECT_NE(nginx, ImageReference::parse("nginx:1"));
  EXPECT_NE(nginx, ImageReference::parse("nginx@sha256:" + kHex256));
  EXPECT_LT(*ImageReference::parse("a.b/x"), *ImageReference::parse("a.c/a"));
}

TEST(ImageReference, LooksUpTheDigestWhenThereIsOne) {
  EXPECT_EQ(ImageReference::parse("nginx")->lookup_target(), "latest");
  EXPECT_EQ(ImageReference::parse("nginx:1")->lookup_target(), "1");
  EXPECT_EQ(ImageReference::parse("nginx:1@sha256:" + kHex256)->lookup_target(),
            "sha256:" + kHex256);
}

TEST(ImageReference, PinsUnderTheNameAsWritten) {
  const Digest digest = *Digest::parse("sha256:" + std::string(64, 'a'));
  const std::string at = "@" + digest.to_string();
  const std::tuple<std::string, std::string, std::string> table[] = {
      {"nginx", "nginx" + at, "nginx" + at},
      {"nginx:1.27", "nginx:1.27" + at, "nginx" + at},
      {"Reg.test:5000/a:v1", "Reg.test:5000/a:v1" + at, "Reg.test:5000/a" + at},
      {"localhost:5000/app", "localhost:5000/app" + at, "localhost:5000/app" + at},
      {"app:1@sha256:" + kHex256, "app:1" + at, "app" + at},
      {"app@sha256:" + kHex256, "app" + at, "app" + at},
  };
  for (const auto& [text, with_tag, without_tag] : table) {
    const auto reference = ImageReference::parse(text);
    ASSERT_TRUE(reference.has_value()) << text;
    EXPECT_EQ(reference->pinned_text(digest), with_tag);
    EXPECT_EQ(reference->pinned_text(digest, false), without_tag);
  }
}

TEST(WithoutPassword, HidesWhatStandsBeforeAHostAndNothingOfAReference) {
  const std::string digest = "@sha256:" + std::string(64, 'a');
  const std::pair<std::string, std::string> rows[] = {
      {"user:s3cret@host/app", "user:***@host/app"},
      {"user:s3cret@host/app:1" + digest, "user:***@host/app:1" + digest},
      {"user:s3/cr@et@host:5000/app", "user:***@host:5000/app"},
      {"https://user:s3cret@host/app", "https://user:***@host/app"},
      {"https://s3cret@host/app", "https://***@host/app"},
      {"s3cret@host/app", "***@host/app"},
      {"user:s3cret@host", "user:***@host"},
      {"host:5000/app:1" + digest, "host:5000/app:1" + digest},
      {"app@latest", "app@latest"},
      {"nginx:1@${DIGEST}", "nginx:1@${DIGEST}"},
      {"host:5000/app:1@$DIGEST", "host:5000/app:1@$DIGEST"},
      {"user:s3cret@${HOST}/app", "user:***@${HOST}/app"},
      {"nginx:1.27", "nginx:1.27"},
      {"", ""},
  };
  for (const auto& [text, shown] : rows) EXPECT_EQ(without_password(text), shown);
  const auto refused = ImageReference::parse("user:s3cret@host/app");
  EXPECT_FALSE(refused.error().message.contains("s3cret")) << refused.error().message;
}

}  // namespace
}  // namespace windlass::image
