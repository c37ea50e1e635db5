// Package workload is what both peers do: handle a chain of keys with one worker while others wait.
package workload

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Queue is what a peer offers.
type Queue interface {
	Add(key string)
	AddAfter(key string, delay time.Duration)
}

// Chain hands out one key after the other: each run adds the next one.
type Chain struct {
	keys    []string
	next    int
	handled int
	runs    int
	started time.Time
	done    chan time.Duration
}

// Handled is to be called by the handler, for each key, by one worker.
func (c *Chain) Handled(queue Queue) {
	switch c.handled {
	case 0:
		c.started = time.Now()
	case c.runs:
		c.done <- time.Since(c.started)
	}
	c.handled++
	if c.handled <= c.runs {
		queue.Add(c.keys[c.next])
		c.next++
	}
}

// Main runs the workload named on the command line. start makes the queue, fills it through fill,
// and starts one worker.
func Main(start func(chain *Chain, fill func(Queue))) {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: PROGRAM ready|delayed BACKLOG RUNS")
		os.Exit(2)
	}
	backlog, _ := strconv.Atoi(os.Args[2])
	runs, _ := strconv.Atoi(os.Args[3])
	keys := make([]string, backlog+runs+1)
	for i := range keys {
		keys[i] = fmt.Sprintf("ns-%03d/obj-%07d", i%1000, i)
	}
	chain := &Chain{keys: keys, next: backlog + 1, runs: runs, done: make(chan time.Duration, 1)}
	start(chain, func(queue Queue) {
		for _, key := range keys[:backlog] {
			if os.Args[1] == "delayed" {
				queue.AddAfter(key, time.Hour)
			} else {
				queue.Add(key)
			}
		}
		queue.Add(keys[backlog])
	})
	took := <-chain.done
	line, _ := json.Marshal(map[string]float64{"ns_per_key": float64(took.Nanoseconds()) / float64(runs)})
	fmt.Println(string(line))
	os.Exit(0)
}
