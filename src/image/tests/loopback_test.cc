#include <gtest/gtest.h>

#include "windlass/image/image_reference.h"

namespace windlass::image {
namespace {

TEST(LoopbackRegistry, IsALoopbackNameOrAddressAndNothingElse) {
  for (const char* registry : {"localhost", "localhost:5000", "LocalHost:5000", "foo.localhost:80",
                               "a.b.localhost", "127.0.0.1", "127.0.0.1:5000", "127.0.0.2:5000",
                               "127.255.255.255", "[::1]", "[::1]:5000", "[0:0:0:0:0:0:0:1]:80"})
    EXPECT_TRUE(is_loopback_registry(registry)) << registry;
  for (const char* registry :
       {"", "docker.io", "localhost.example.test", "xlocalhost", "10.1.2.3", "128.0.0.1", "127.1",
        "127.0.0.1.example.test", "192.168.1.1:5000", "kind.local", "[::2]", "[2001:db8::1]:5000",
        "[::1", "reg.svc.cluster.local:5000"})
    EXPECT_FALSE(is_loopback_registry(registry)) << registry;
}

}  // namespace
}  // namespace windlass::image
