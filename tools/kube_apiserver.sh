# Builds the kube-apiserver that the tests talk to, with etcd from Debian beside it. Sourced by ./test.

# The version stands in tests/kube_apiserver/go.mod. The build takes about 11 minutes of one processor's time and 2.5 GiB of
# memory, and is done again only when that file changes. What keeps it from being built, such as a network without Go's modules,
# ends ./test with status 77; so does a build that takes longer than half an hour.
build_kube_apiserver() {
  local source="$root/tests/kube_apiserver" tools="$root/build/tools" log="$root/build/kube-apiserver.log" version
  (unpack_program etcd usr/bin/etcd etcd-server) || exit 77
  [ ! "$tools/kube-apiserver" -nt "$source/go.mod" ] || return 0
  command -v go >/dev/null || {
    say "error: building a kube-apiserver needs Go, $(grep -E '^go ' "$source/go.mod") or newer"
    exit 77
  }
  version=$(sed -nE 's#^.*k8s.io/kubernetes (v[0-9.]+).*#\1#p' "$source/go.mod")
  (cd "$source" && CGO_ENABLED=0 tended timeout 30m go build -mod=readonly -trimpath \
    -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$version" \
    -o "$tools/kube-apiserver.new" k8s.io/kubernetes/cmd/kube-apiserver) >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    say "error: building kube-apiserver failed; the whole output is in build/kube-apiserver.log"
    exit 77
  }
  mv -f "$tools/kube-apiserver.new" "$tools/kube-apiserver"
}
