#include "windlass/oci/local_image.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "windlass/base/format.h"
#include "windlass/base/testing/temporary_folder.h"

namespace windlass::oci {
namespace {

namespace fs = std::filesystem;

using Contents = std::map<std::string, std::string>;  // by path; "-> x" is a link to x

const std::string kChild = R"({"schemaVersion":2,"config":{},"layers":[]})";

std::string blob_path(const std::string& bytes) {
  return "blobs/sha256/" + std::string(image::Digest::sha256_of(bytes).hex());
}

std::string entry(const std::string& bytes, const std::string& name,
                  const std::string& platform = "") {
  std::string out = format(R"({{"mediaType":"application/vnd.oci.image.manifest.v1+json",)"
                           R"("digest":"{}","size":{})",
                           image::Digest::sha256_of(bytes).to_string(), bytes.size());
  if (!name.empty())
    out += format(R"(,"annotations":{{"org.opencontainers.image.ref.name":"{}"}})", name);
  if (!platform.empty())
    out += format(R"(,"platform":{{"os":"linux","architecture":"{}"}})", platform);
  return out + "}";
}

std::string index(const std::string& entries) {
  return format(R"({{"schemaVersion":2,"manifests":[{}]}})", entries);
}

const std::string kIndex = index(entry(kChild, "", "amd64"));

Contents layout(const std::string& entries) {
  return {{"oci-layout", R"({"imageLayoutVersion":"1.0.0"})"},
          {"index.json", index(entries)},
          {blob_path(kChild), kChild},
          {blob_path(kIndex), kIndex}};
}

class LocalImages : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  void write_folder(const Contents& contents) const {
    for (const auto& [name, bytes] : contents) {
      folder_.write("dir/" + name, bytes);
    }
  }

  std::string write_tar(const Contents& contents, int filter = ARCHIVE_FILTER_NONE) const {
    archive* tar = archive_write_new();
    archive_write_add_filter(tar, filter);
    archive_write_set_format_pax_restricted(tar);
    archive_write_open_filename(tar, path("a.tar").c_str());
    for (const auto& [name, bytes] : contents) {
      archive_entry* item = archive_entry_new();
      archive_entry_set_pathname(item, ("./" + name).c_str());
      const bool is_link = bytes.starts_with("-> ");
      archive_entry_set_filetype(item, is_link ? AE_IFLNK : AE_IFREG);
      if (is_link) archive_entry_set_symlink(item, bytes.c_str() + 3);
      archive_entry_set_size(item, is_link ? 0 : static_cast<la_int64_t>(bytes.size()));
      archive_write_header(tar, item);
      if (!is_link) archive_write_data(tar, bytes.data(), bytes.size());
      archive_entry_free(item);
    }
    archive_write_free(tar);
    return path("a.tar");
  }

  // "sha256:...", or the error.
  static std::string find(const std::string& source, const std::string& platform = "") {
    const auto parsed = LocalSource::parse(source);
    if (!parsed) return parsed.error().message;
    const auto image = find_local_image(
        *parsed, platform.empty() ? std::nullopt : std::optional(*Platform::parse(platform)));
    if (image) return image->digest.to_string();
    return std::string(to_string(image.error().code)) + ": " + image.error().message;
  }

  // The same layout as a folder, a tar file and a compressed one.
  std::vector<std::string> all_ways(const Contents& contents) const {
    fs::remove_all(path("dir"));
    write_folder(contents);
    const std::string tar = write_tar(contents);
    fs::copy_file(tar, path("plain.tar"), fs::copy_options::overwrite_existing);
    write_tar(contents, ARCHIVE_FILTER_GZIP);
    return {"oci:" + path("dir"), "oci-archive:" + path("plain.tar"), "oci-archive:" + tar};
  }

  const TemporaryFolder folder_;
};

std::string digest(const std::string& bytes) { return image::Digest::sha256_of(bytes).to_string(); }

TEST_F(LocalImages, AreFoundByNameInLayoutsOfEveryKind) {
  for (const std::string& source :
       all_ways(layout(entry(kChild, "v1") + "," + entry(kIndex, "docker.io/library/app:v2")))) {
    EXPECT_EQ(find(source + ":v1"), digest(kChild));
    EXPECT_EQ(find(source + ":docker.io/library/app:v2"), digest(kIndex));
    EXPECT_EQ(find(source + ":docker.io/library/app:v2", "linux/amd64"), digest(kChild));
    EXPECT_TRUE(
        find(source + ":v3")
            .ends_with(R"(there is no image called "v3": there are v1, docker.io/library/app:v2)"));
    EXPECT_TRUE(find(source).ends_with("name one: there are v1, docker.io/library/app:v2"));
    EXPECT_NE(find(source + ":docker.io/library/app:v2", "windows/amd64").find("not there for"),
              std::string::npos);
  }
}

TEST_F(LocalImages, TheOnlyImageNeedsNoName) {
  for (const std::string& source : all_ways(layout(entry(kChild, ""))))
    EXPECT_EQ(find(source), digest(kChild));
}

TEST_F(LocalImages, OneEntryForEachPlatformIsChosenFrom) {
  const Contents contents =
      layout(entry(kChild, "v1", "amd64") + "," + entry(kIndex, "v1", "arm64"));
  for (const std::string& source : all_ways(contents)) {
    EXPECT_EQ(find(source + ":v1", "linux/amd64"), digest(kChild));
    EXPECT_TRUE(find(source + ":v1").ends_with("name a platform")) << find(source + ":v1");
  }
}

TEST_F(LocalImages, BytesThatAreOthersAreCorrupt) {
  Contents contents = layout(entry(kChild, "v1"));
  contents[blob_path(kChild)] = kIndex;
  for (const std::string& source : all_ways(contents))
    EXPECT_TRUE(find(source + ":v1").starts_with("corrupt: ")) << find(source + ":v1");
  contents.erase(blob_path(kChild));
  for (const std::string& source : all_ways(contents))
    EXPECT_TRUE(find(source + ":v1").starts_with("invalid: ")) << find(source + ":v1");
}

TEST_F(LocalImages, WhatIsNoLayoutIsNamed) {
  EXPECT_TRUE(find("oci:" + path("none")).starts_with("invalid: " + path("none")));
  EXPECT_TRUE(find("oci-archive:" + path("none.tar")).starts_with("invalid: "));
  std::ofstream(path("junk.tar")) << "this is no tar file, however long it is ............";
  EXPECT_TRUE(find("oci-archive:" + path("junk.tar")).starts_with("invalid: " + path("junk.tar")));
  write_folder({{"index.json", "{"}});
  EXPECT_TRUE(find("oci:" + path("dir")).starts_with("invalid: " + path("dir") + ": index.json: "));
  fs::remove(path("dir/index.json"));
  fs::create_directory(path("dir/index.json"));
  EXPECT_NE(find("oci:" + path("dir")).find("is not a file"), std::string::npos);
  EXPECT_EQ(find("oci:"), R"("oci:": expected a path after oci:)");
  EXPECT_FALSE(LocalSource::is_one("docker.io/app:v1"));
  EXPECT_FALSE(LocalSource::is_one("oci"));
  EXPECT_TRUE(LocalSource::is_one("docker-archive:x.tar"));
}

TEST_F(LocalImages, AHugeFileIsNotReadWhole) {
  Contents contents = layout(entry(kChild, "v1"));
  contents["index.json"] = std::string(5U << 20U, ' ');
  for (const std::string& source : all_ways(contents))
    EXPECT_NE(find(source).find("longer than"), std::string::npos) << find(source);
}

const std::string kConfig = R"({"rootfs":{"type":"layers","diff_ids":[)"
                            R"("sha256:)" +
                            std::string(64, 'a') + R"(","sha256:)" + std::string(64, 'b') +
                            R"("]}})";

Contents docker_archive() {
  return {{"manifest.json", R"([{"Config":"c.json","RepoTags":["app:v1","registry.test/app:v2"],)"
                            R"("Layers":["1/layer.tar","2/layer.tar"]}])"},
          {"c.json", kConfig},
          {"1/layer.tar", std::string(3000, 'x')},
          {"2/layer.tar", "-> ../1/layer.tar"}};
}

std::string expected_manifest(int size) {
  const auto layer = [&](char c) {
    return format(R"({{"mediaType":"application/vnd.docker.image.rootfs.diff.tar.gzip",)"
                  R"("size":{},"digest":"sha256:{}"}})",
                  size, std::string(64, c));
  };
  return format(
      R"({{"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.)"
      R"(v2+json","config":{{"mediaType":"application/vnd.docker.container.image.v1+json",)"
      R"("size":{},"digest":"{}"}},"layers":[{},{}]}})",
      kConfig.size(), digest(kConfig), layer('a'), layer('b'));
}

TEST_F(LocalImages, DockersArchivesHaveTheDigestOfTheManifestThatSkopeoMakes) {
  const std::string source = "docker-archive:" + write_tar(docker_archive(), ARCHIVE_FILTER_GZIP);
  for (const char* name :
       {"", ":app:v1", ":docker.io/library/app:v1", ":registry.test/app:v2", ":@0"})
    EXPECT_EQ(find(source + name), digest(expected_manifest(3000))) << name;
  EXPECT_TRUE(find(source + ":app:v2").ends_with("there are app:v1, registry.test/app:v2"));
  for (const char* name : {":@1", ":@", ":@x", ":UPPER"})
    EXPECT_EQ(find(source + name).find("sha256"), std::string::npos) << name;
}

TEST_F(LocalImages, CompressedLayersOfDockersArchivesCountUnpacked) {
  write_tar({{"inner", std::string(100, 'y')}}, ARCHIVE_FILTER_GZIP);
  std::ifstream file(path("a.tar"), std::ios::binary);
  Contents contents = docker_archive();
  contents["1/layer.tar"] = {std::istreambuf_iterator<char>(file), {}};
  const auto unpacked = static_cast<int>(
      fs::file_size([&] { return write_tar({{"inner", std::string(100, 'y')}}); }()));
  EXPECT_EQ(find("docker-archive:" + write_tar(contents)), digest(expected_manifest(unpacked)));
}

// libarchive runs programs for what it cannot unpack itself, when it is asked for everything.
TEST_F(LocalImages, NoProgramIsRunForAnArchive) {
  setenv("PATH", folder_.root().c_str(), 1);
  for (const std::string name : {"lrzip", "grzip", "lzop"}) {
    fs::permissions(folder_.write(name, "#!/bin/sh\necho > \"$0.was-run\"\n"),
                    fs::perms::owner_all);
  }
  const std::string zeros(100, '\0');
  const std::string lrzip = std::string("LRZI\0\6", 6) + zeros;
  const std::string grzip = std::string("GRZipII\0\2\4:)", 12) + zeros;
  for (const std::string& bytes : {lrzip, grzip}) {
    const std::string file = folder_.write("a.tar", bytes);
    EXPECT_TRUE(find("oci-archive:" + file).starts_with("invalid: "));
    EXPECT_TRUE(find("docker-archive:" + file).starts_with("invalid: "));
    Contents contents = docker_archive();
    contents["1/layer.tar"] = bytes;
    find("docker-archive:" + write_tar(contents));
  }
  setenv("PATH", "/usr/bin:/bin", 1);
  for (const std::string name : {"lrzip", "grzip", "lzop"})
    EXPECT_FALSE(fs::exists(path(name + ".was-run"))) << name;
}

TEST_F(LocalImages, DamagedDockerArchivesAreRefused) {
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"manifest.json", "{}"},
           {"manifest.json", "[]"},
           {"c.json", "{}"},
           {"c.json", R"({"rootfs":{"diff_ids":["sha256:x","y"]}})"},
           {"1/layer.tar", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03 damaged", 18)}}) {
    Contents contents = docker_archive();
    contents[name] = bytes;
    const std::string found = find("docker-archive:" + write_tar(contents));
    EXPECT_FALSE(found.starts_with("sha256:")) << name << " " << bytes << ": " << found;
  }
}

}  // namespace
}  // namespace windlass::oci
