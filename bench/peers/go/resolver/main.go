// Answers many owners as Knative Serving's background resolver is arranged: client-go's queue with its limiters, 100
// workers, a fresh go-containerregistry puller for each image. usage and output are those of windlass_resolver_compare;
// with a fourth argument, "unlimited", there is no bucket of 10 adds per second.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"
)

const workers = 100

type item struct {
	owner int // below 0: one that hangs
	image string
}

type limiter = workqueue.TypedRateLimiter[item]

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func resolve(image string, transport http.RoundTripper) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	tag, err := name.NewTag(image, name.WeakValidation)
	if err != nil {
		return err
	}
	_, err = remote.Head(tag, remote.WithContext(ctx), remote.WithTransport(transport))
	return err
}

func main() {
	owners, err := strconv.Atoi(os.Args[1])
	check(err)
	hanging, err := strconv.Atoi(os.Args[2])
	check(err)
	var images []string
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		images = append(images, lines.Text())
	}
	transport := remote.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = workers
	transport.MaxIdleConnsPerHost = workers

	limit := workqueue.NewTypedItemExponentialFailureRateLimiter[item](time.Second, 1000*time.Second)
	if len(os.Args) < 5 {
		limit = workqueue.NewTypedMaxOfRateLimiter[item](firstAtOnce{limit, map[item]bool{}, &sync.Mutex{}},
			&workqueue.TypedBucketRateLimiter[item]{Limiter: rate.NewLimiter(10, 100)})
	} else {
		limit = firstAtOnce{limit, map[item]bool{}, &sync.Mutex{}}
	}
	queue := workqueue.NewTypedRateLimitingQueue(limit)

	begun := make([]time.Time, owners)
	took := make([]float64, owners)
	var failed atomic.Int64
	var group sync.WaitGroup
	group.Add(owners)
	for range workers {
		go func() {
			for {
				work, shut := queue.Get()
				if shut {
					return
				}
				err := resolve(work.image, transport)
				queue.Forget(work)
				queue.Done(work)
				if work.owner < 0 {
					continue
				}
				if err != nil {
					failed.Add(1)
					fmt.Fprintln(os.Stderr, err)
				}
				took[work.owner] = time.Since(begun[work.owner]).Seconds() * 1000
				group.Done()
			}
		}()
	}
	for i := range hanging {
		queue.AddRateLimited(item{-1 - i, fmt.Sprintf("%s/app-%d:v1", os.Args[3], i)})
	}
	start := time.Now()
	for i := range owners {
		begun[i] = time.Now()
		queue.AddRateLimited(item{i, images[i%len(images)]})
	}
	group.Wait()
	wall := time.Since(start).Seconds()
	sort.Float64s(took)
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	cpu := time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
	fmt.Printf("{\"seconds\":%.4f,\"cpu_us\":%.2f,\"median_ms\":%.3f,\"max_ms\":%.3f,\"failed\":%d}\n",
		wall, cpu/float64(owners)*1e6, took[owners/2], took[owners-1], failed.Load())
	if failed.Load() > 0 {
		os.Exit(1)
	}
}

// firstAtOnce delays no item's first add, as Knative's own limiter does.
type firstAtOnce struct {
	limiter
	seen map[item]bool
	lock *sync.Mutex
}

func (f firstAtOnce) When(work item) time.Duration {
	f.lock.Lock()
	known := f.seen[work]
	f.seen[work] = true
	f.lock.Unlock()
	if !known {
		return 0
	}
	return f.limiter.When(work)
}
