// Command workqueue runs one workload on client-go's or controller-runtime's queue and prints one line of JSON, with the
// names that windlass_workqueue_compare uses.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

type queue = workqueue.TypedRateLimitingInterface[string]

type report map[string]any

// impl is the queue that runs: client-go's, or controller-runtime's priority queue.
var impl = "client-go"

func newQueue(metrics bool) queue {
	if impl == "controller-runtime" {
		return newPriorityQueue(metrics)
	}
	config := workqueue.TypedRateLimitingQueueConfig[string]{}
	if metrics {
		config.Name = "bench"
		config.MetricsProvider = &counters{}
	}
	return workqueue.NewTypedRateLimitingQueueWithConfig(newLimiter(), config)
}

func newPriorityQueue(metrics bool) queue {
	name := ""
	if metrics {
		name = "bench"
	}
	return priorityqueue.New(name, func(options *priorityqueue.Opts[string]) {
		options.RateLimiter = newLimiter()
		options.MetricProvider = &counters{}
	})
}

func newLimiter() workqueue.TypedRateLimiter[string] {
	return workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second)
}

func makeKeys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("ns-%03d/obj-%07d", i%1000, i)
	}
	return keys
}

func xorshift(state *uint64) uint64 {
	*state ^= *state << 13
	*state ^= *state >> 7
	*state ^= *state << 17
	return *state
}

func perItem(since time.Time, n int) float64 {
	return float64(time.Since(since).Nanoseconds()) / float64(n)
}

func addGetDone(n int, metrics bool) report {
	keys, q := makeKeys(n), newQueue(metrics)
	start := time.Now()
	for _, key := range keys {
		q.Add(key)
		got, _ := q.Get()
		q.Done(got)
	}
	return report{"ns_per_item": perItem(start, n)}
}

func fillThenDrain(n int, metrics bool) report {
	keys, q := makeKeys(n), newQueue(metrics)
	start := time.Now()
	for _, key := range keys {
		q.Add(key)
	}
	filled := perItem(start, n)
	for range n {
		got, _ := q.Get()
		q.Done(got)
	}
	drained := perItem(start, n)
	return report{"ns_per_item": drained, "ns_per_add": filled, "ns_per_getdone": drained - filled}
}

func immediateBehindDelayed(n int) report {
	keys, q := makeKeys(n+2000), newQueue(true)
	for _, key := range keys[:n] {
		q.AddAfter(key, time.Hour)
	}
	time.Sleep(500 * time.Millisecond)
	start := time.Now()
	for _, key := range keys[n:] {
		q.Add(key)
	}
	return report{"ns_per_enqueue": perItem(start, 2000)}
}

const producers, consumers = 4, 4

func producersAndConsumers(n, each int, metrics bool) report {
	keys, q := makeKeys(n), newQueue(metrics)
	var handled atomic.Int64
	start, all := make(chan struct{}), make(chan struct{})
	for p := range each {
		go func() {
			<-start
			for _, key := range keys[p*n/each : (p+1)*n/each] {
				q.Add(key)
			}
		}()
	}
	for range each {
		go func() {
			<-start
			for {
				key, shutdown := q.Get()
				if shutdown {
					return
				}
				q.Done(key)
				if handled.Add(1) == int64(n) {
					close(all)
				}
			}
		}()
	}
	time.Sleep(10 * time.Millisecond)
	cpu, begin := cpuSeconds(), time.Now()
	close(start)
	<-all
	wall := time.Since(begin)
	used := cpuSeconds() - cpu
	q.ShutDown()
	return report{"items_per_s": float64(n) / wall.Seconds(), "cpu_s": used}
}

func fewKeys(adds int, withConsumers, metrics bool) report {
	keys, q := makeKeys(1000), newQueue(metrics)
	var handled atomic.Int64
	start := make(chan struct{})
	var producing, consuming sync.WaitGroup
	for p := range producers {
		producing.Add(1)
		go func() {
			defer producing.Done()
			state := uint64(p+1) * 0x9E3779B97F4A7C15
			<-start
			for range adds / producers {
				q.Add(keys[xorshift(&state)%1000])
			}
		}()
	}
	if withConsumers {
		for range consumers {
			consuming.Add(1)
			go func() {
				defer consuming.Done()
				<-start
				for {
					key, shutdown := q.Get()
					if shutdown {
						return
					}
					q.Done(key)
					handled.Add(1)
				}
			}()
		}
	}
	time.Sleep(10 * time.Millisecond)
	cpu, begin := cpuSeconds(), time.Now()
	close(start)
	producing.Wait()
	wall := time.Since(begin)
	used := cpuSeconds() - cpu
	q.ShutDown()
	consuming.Wait()
	return report{"adds_per_s": float64(adds) / wall.Seconds(), "deliveries": handled.Load(), "cpu_s": used}
}

func randomDelays(n int) report {
	keys := makeKeys(n)
	delays, due, late := make([]time.Duration, n), make([]time.Time, n), make([]time.Duration, n)
	state := uint64(42)
	for i := range delays {
		delays[i] = time.Duration(xorshift(&state) % 2_000_000_000)
	}
	delivered := make([]time.Time, n)
	resetPeak()
	base := readMemory()
	q := newQueue(true)
	cpu, begin := cpuSeconds(), time.Now()
	produced := make(chan struct{})
	go func() {
		for i, key := range keys {
			due[i] = time.Now().Add(delays[i])
			q.AddAfter(key, delays[i])
		}
		close(produced)
	}()
	for range n {
		key, _ := q.Get()
		i, _ := strconv.Atoi(strings.TrimLeft(key[11:17], "0") + key[17:])
		q.Done(key)
		delivered[i] = time.Now()
	}
	wall := time.Since(begin)
	<-produced
	used, end := cpuSeconds()-cpu, readMemory()
	for i := range late {
		late[i] = delivered[i].Sub(due[i])
	}
	sort.Slice(late, func(a, b int) bool { return late[a] < late[b] })
	ms := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
	return report{
		"wall_s": wall.Seconds(), "cpu_s": used, "over_base_mb": (end.peak - base.resident) / 1e6,
		"late_min_ms": ms(late[0]), "late_p50_ms": ms(late[n/2]), "late_p99_ms": ms(late[n*99/100]),
		"late_max_ms": ms(late[n-1]),
	}
}

func limiter(n int) report {
	keys := makeKeys(n)
	base := readMemory().resident
	l, out := newLimiter(), report{}
	timed := func(name string, call func(string)) {
		start := time.Now()
		for _, key := range keys {
			call(key)
		}
		out[name] = perItem(start, n)
	}
	timed("when_first_ns", func(key string) { l.When(key) })
	out["rss_per_key"] = (readMemory().resident - base) / float64(n)
	timed("when_again_ns", func(key string) { l.When(key) })
	timed("numrequeues_ns", func(key string) { l.NumRequeues(key) })
	timed("forget_ns", func(key string) { l.Forget(key) })
	out["rss_per_key_after_forget"] = (readMemory().resident - base) / float64(n)
	l.Forget(keys[0])
	return out
}

func hold(n int, delayed bool) report {
	keys := makeKeys(n)
	resetPeak()
	base, out := readMemory(), report{}
	q := newQueue(true)
	start := time.Now()
	for _, key := range keys {
		if delayed {
			q.AddAfter(key, time.Hour)
		} else {
			q.Add(key)
		}
	}
	if delayed {
		out["ns_per_addafter"] = perItem(start, n)
		time.Sleep(500 * time.Millisecond)
	}
	held := readMemory()
	out["rss_per_key"] = (held.resident - base.resident) / float64(n)
	out["peak_over_base_per_key"] = (held.peak - base.resident) / float64(n)
	if !delayed {
		for range n {
			got, _ := q.Get()
			q.Done(got)
		}
		out["rss_per_key_drained"] = (readMemory().resident - base.resident) / float64(n)
	}
	q.Len()
	keys[0] = keys[n-1]
	return out
}

func main() {
	workloads := map[string]func(int) report{
		"1":    func(n int) report { return addGetDone(n, false) },
		"1m":   func(n int) report { return addGetDone(n, true) },
		"1f":   func(n int) report { return fillThenDrain(n, false) },
		"1fm":  func(n int) report { return fillThenDrain(n, true) },
		"1b":   immediateBehindDelayed,
		"2":    func(n int) report { return producersAndConsumers(n, 4, false) },
		"2m":   func(n int) report { return producersAndConsumers(n, 4, true) },
		"2x1":  func(n int) report { return producersAndConsumers(n, 1, true) },
		"2x16": func(n int) report { return producersAndConsumers(n, 16, true) },
		"3":    func(n int) report { return fewKeys(10*n, true, false) },
		"3m":   func(n int) report { return fewKeys(10*n, true, true) },
		"3b":   func(n int) report { return fewKeys(10*n, false, false) },
		"3bm":  func(n int) report { return fewKeys(10*n, false, true) },
		"4":    randomDelays,
		"5":    limiter,
		"6":    func(n int) report { return hold(n, false) },
		"6d":   func(n int) report { return hold(n, true) },
	}
	if len(os.Args) < 2 || workloads[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: workqueue WORKLOAD [COUNT [client-go|controller-runtime]]")
		os.Exit(2)
	}
	n := 1_000_000
	if len(os.Args) > 2 {
		n, _ = strconv.Atoi(os.Args[2])
	}
	if len(os.Args) > 3 {
		impl = os.Args[3]
	}
	out := workloads[os.Args[1]](n)
	out["impl"], out["workload"], out["n"] = impl, os.Args[1], n
	line, _ := json.Marshal(out)
	fmt.Println(string(line))
}
