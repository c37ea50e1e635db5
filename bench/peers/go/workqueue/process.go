package main

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

type memoryUse struct{ resident, peak float64 }

func statusBytes(field string) float64 {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest, found := strings.CutPrefix(line, field+":"); found {
			kilobytes, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return 1024 * kilobytes
		}
	}
	return 0
}

// readMemory collects garbage and returns free pages first.
func readMemory() memoryUse {
	peak := statusBytes("VmHWM")
	debug.FreeOSMemory()
	return memoryUse{resident: statusBytes("VmRSS"), peak: peak}
}

func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + 1e-6*float64(t.Usec) }
	return seconds(usage.Utime) + seconds(usage.Stime)
}
