# Builds the kube-apiserver that the tests talk to, with etcd from Debian beside it. Sourced by ./test.

# The version stands in tests/kube_apiserver/go.mod. The build takes about 11 minutes of one processor's time and 2.5 GiB of
# memory, and is done again only when that file changes.
build_kube_apiserver() {
  local source="$root/tests/kube_apiserver" tools="$root/build/tools" log="$root/build/kube-apiserver.log" version
  unpack_program etcd usr/bin/etcd etcd-server
  [ ! "$tools/kube-apiserver" -nt "$source/go.mod" ] || return 0
  command -v go >/dev/null || die "building a kube-apiserver needs Go, $(grep -E '^go ' "$source/go.mod") or newer"
  version=$(sed -nE 's#^.*k8s.io/kubernetes (v[0-9.]+).*#\1#p' "$source/go.mod")
  (cd "$source" && CGO_ENABLED=0 tended go build -mod=readonly -trimpath \
    -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$version" \
    -o "$tools/kube-apiserver.new" k8s.io/kubernetes/cmd/kube-apiserver) >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    die "building kube-apiserver failed; the whole output is in build/kube-apiserver.log"
  }
  mv -f "$tools/kube-apiserver.new" "$tools/kube-apiserver"
}
