// Command virtual_kubelet runs the workload on virtual-kubelet's queue.
//
// That package is internal: this module's path is below virtual-kubelet's so that it may be used.
package main

import (
	"context"
	"time"

	"github.com/virtual-kubelet/virtual-kubelet/internal/queue"
	"github.com/virtual-kubelet/virtual-kubelet/windlass_bench/workload"
	"k8s.io/client-go/util/workqueue"
)

type vkQueue struct{ *queue.Queue }

func (q vkQueue) Add(key string) { q.EnqueueWithoutRateLimit(context.Background(), key) }

func (q vkQueue) AddAfter(key string, delay time.Duration) {
	q.EnqueueWithoutRateLimitWithDelay(context.Background(), key, delay)
}

func main() {
	workload.Main(func(chain *workload.Chain, fill func(workload.Queue)) {
		var q vkQueue
		handler := func(context.Context, string) error {
			chain.Handled(q)
			return nil
		}
		limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[any](5*time.Millisecond, 1000*time.Second)
		q = vkQueue{queue.New(limiter, "bench", handler, nil)}
		fill(q)
		go q.Run(context.Background(), 1)
	})
}
