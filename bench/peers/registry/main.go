// A registry for measurements: it answers every tag of every repository with an image index of its own, after a
// latency, and counts what it is asked. GET /count tells the number of requests so far.
//
// usage: registry LATENCY (such as 50ms). Prints the address it listens on.
package main

import (
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const indexType = "application/vnd.oci.image.index.v1+json"

func main() {
	latency, err := time.ParseDuration(os.Args[1])
	if err != nil {
		panic(err)
	}
	var requests atomic.Int64
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/count" {
			fmt.Fprintln(w, requests.Load())
			return
		}
		requests.Add(1)
		time.Sleep(latency)
		name, reference, isManifest := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/"), "/manifests/")
		if !isManifest {
			w.WriteHeader(http.StatusOK)
			return
		}
		if strings.HasPrefix(reference, "sha256:") {
			reference = "1"
		}
		child := sha256.Sum256([]byte(name + ":" + reference))
		body := fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json",`+
			`"digest":"sha256:%x","size":500,"platform":{"os":"linux","architecture":"amd64"}}]}`, indexType, child)
		w.Header().Set("Content-Type", indexType)
		w.Header().Set("Docker-Content-Digest", fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(body))))
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		if r.Method != http.MethodHead {
			fmt.Fprint(w, body)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	panic(http.Serve(listener, http.HandlerFunc(handler)))
}
