// Command controller_runtime runs the workload on controller-runtime's controller, as it is by
// default: its priority queue, its metrics.
package main

import (
	"context"

	"github.com/virtual-kubelet/virtual-kubelet/windlass_bench/workload"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type queue = workqueue.TypedRateLimitingInterface[string]

func main() {
	workload.Main(func(chain *workload.Chain, fill func(workload.Queue)) {
		var filled queue
		reconciler := reconcile.TypedFunc[string](func(context.Context, string) (reconcile.Result, error) {
			chain.Handled(filled)
			return reconcile.Result{}, nil
		})
		made, err := controller.NewTypedUnmanaged("bench", controller.TypedOptions[string]{Reconciler: reconciler})
		if err != nil {
			panic(err)
		}
		// Workers begin when every source has started.
		err = made.Watch(source.TypedFunc[string](func(_ context.Context, q queue) error {
			filled = q
			fill(q)
			return nil
		}))
		if err != nil {
			panic(err)
		}
		go func() { panic(made.Start(context.Background())) }()
	})
}
