package main

import (
	"math"
	"sync/atomic"

	"k8s.io/client-go/util/workqueue"
)

// counters is a metrics provider that does no more than atomic arithmetic.
type counters struct {
	depth, unfinished, longest, adds, retries number
	latency, work                             number
}

// number serves as a gauge, a counter and the sum of a histogram.
type number struct{ value atomic.Int64 }

func (n *number) Inc()              { n.value.Add(1) }
func (n *number) Dec()              { n.value.Add(-1) }
func (n *number) Set(v float64)     { n.value.Store(int64(math.Float64bits(v))) }
func (n *number) Observe(v float64) { n.value.Add(int64(v * 1e9)) }

func (c *counters) NewDepthMetric(string) workqueue.GaugeMetric            { return &c.depth }
func (c *counters) NewAddsMetric(string) workqueue.CounterMetric           { return &c.adds }
func (c *counters) NewLatencyMetric(string) workqueue.HistogramMetric      { return &c.latency }
func (c *counters) NewWorkDurationMetric(string) workqueue.HistogramMetric { return &c.work }
func (c *counters) NewRetriesMetric(string) workqueue.CounterMetric        { return &c.retries }
func (c *counters) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return &c.unfinished
}
func (c *counters) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return &c.longest
}
