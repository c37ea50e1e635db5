// Looks digests up with go-containerregistry's remote.Head through one reused puller, for
// bench/suites/registry.py. usage and output are those of windlass_registry_compare; with one argument, an image, it
// prints its digest as `crane digest` does, with that program's own library.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

func cpuSeconds() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) == 2 {
		digest, err := crane.Digest(os.Args[1])
		check(err)
		fmt.Println(digest)
		return
	}
	inFlight, err := strconv.Atoi(os.Args[1])
	check(err)
	lookups, err := strconv.Atoi(os.Args[2])
	check(err)
	var references []name.Reference
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		reference, err := name.ParseReference(lines.Text())
		check(err)
		references = append(references, reference)
	}
	transport := remote.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = inFlight
	transport.MaxIdleConnsPerHost = inFlight
	transport.DialContext = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	puller, err := remote.NewPuller(remote.WithTransport(transport))
	check(err)

	var next, errors, ended atomic.Int64
	var first atomic.Int64
	var group sync.WaitGroup
	cpuBefore := cpuSeconds()
	begin := time.Now()
	for range inFlight {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				turn := int(next.Add(1)) - 1
				if turn >= lookups {
					return
				}
				if _, err := puller.Head(context.Background(), references[turn%len(references)]); err != nil {
					if errors.Add(1) == 1 {
						fmt.Fprintln(os.Stderr, err)
					}
				}
				if ended.Add(1) == 1 {
					first.Store(int64(time.Since(begin)))
				}
			}
		}()
	}
	group.Wait()
	wall := time.Since(begin).Seconds()
	cpu := cpuSeconds() - cpuBefore
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	fmt.Printf("{\"lookups_per_s\":%.1f,\"cpu_us\":%.2f,\"rss_mb\":%.1f,\"first_ms\":%.2f,\"errors\":%d}\n",
		float64(lookups)/wall, cpu/float64(lookups)*1e6, float64(usage.Maxrss)/1024,
		time.Duration(first.Load()).Seconds()*1000, errors.Load())
	if errors.Load() > 0 {
		os.Exit(1)
	}
}
