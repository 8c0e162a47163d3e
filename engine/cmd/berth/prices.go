package main

import (
	"strconv"
	"strings"

	"berth/engine/dot"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// pricesName is the name under which the scenario contains the prices from --price flags.
const pricesName = "prices.dot"

// pricesOf converts --price flags to a source. Each flag, such as eu=0.04,0.005, has the hourly
// prices of a CPU core and of a GiB of memory.
func (c *call) pricesOf(prices list) (placementkind.GraphSource, error) {
	var b strings.Builder
	b.WriteString("graph {\n")
	for _, one := range prices {
		at := strings.LastIndexByte(one, '=')
		core, gib, both := strings.Cut(one[at+1:], ",")
		cpu, okCPU := show.ParseNumber(core)
		memory, okMemory := show.ParseNumber(gib)
		if at < 1 || !both || !okCPU || !okMemory || cpu < 0 || memory < 0 {
			return placementkind.GraphSource{}, c.misuse("--price %s: expected CLUSTER=CORE,GIB, the prices of a core and of a GiB an hour, such as eu=0.04,0.005", show.Quote(one))
		}
		number := func(price float64) string { return strconv.FormatFloat(price, 'f', -1, 64) }
		b.WriteString("\t" + dot.Quote(one[:at]) + " [cpu_cost=" + number(cpu/1000) + ", memory_cost=" + number(memory/1024) + "];\n")
	}
	b.WriteString("}\n")
	return placementkind.GraphSource{Name: pricesName, Text: b.String()}, nil
}
