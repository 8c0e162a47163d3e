package scripttest

import (
	"fmt"
	"strings"
)

// grammar has the statements of generated texts: s holds a string, l a list, d a
// dictionary, t a tuple and n a number. Most statements enlarge one of them.
var grammar = []string{
	"s[0] = s[0] + s[0]", "s[0] += 'y'", "l.append(s[0])", "l.extend(l)", "d[len(d) << 32] = l", "d[s[0]] = d.items()",
	"t[0] = (t[0], t[0])", "d[t[0]] = 1", "n[0] = n[0] * n[0]", "n[0] += 1 << 500", "s[0] = str(l)", "s[0] = '%s%s' % (s[0], l)",
	"l.append(list(range(100000)))", "s[0] = ','.join([s[0]] * 100)", "l.append(sorted(s[0].elems()))", "l.append(s[0].split('x'))",
	"u = t[0] == (t[0], 1)", "u = s[0] in s[0] + 'z'", "l.append({i << 32: i for i in range(3000)})", "u = s[0].replace('x', 'xx')",
	"u = [x for x in l if x in l]", "u = str(n[0])", "l = l[:] + l", "u = int('9' * 30000)",
}

// Genes is the number of different statements of a generated text, counting
// repetitions.
var Genes = 4 * len(grammar)

// Text returns a policy with one function, such as "order(job)", that runs the
// statements encoded by genes in [0, Genes).
func Text(function string, genes []int) string {
	b := &strings.Builder{}
	b.WriteString("s, l, d, t, n = ['x'], [], {}, [()], [3]\ndef step(l):\n")
	for _, g := range genes {
		times := 1 + g/len(grammar)*40
		fmt.Fprintf(b, "    for i in range(%d): %s\n", times, grammar[g%len(grammar)])
	}
	fmt.Fprintf(b, "\ndef %s:\n    for i in range(1000): step(l)\n    return None\n", function)
	return b.String()
}
