package study

import (
	"fmt"
	"strings"
)

// Meaning explains a word of the verdicts. Help and documentation are renderings of these lists.
type Meaning struct{ Name, Means string }

// RuleLists has the lists of rules by name.
var RuleLists = map[string][]Meaning{"verdicts": Verdicts, "evidence": EvidenceRules, "judging": Rules}

// RuleTable returns rules as a table in Markdown.
func RuleTable(rules []Meaning) string {
	var b strings.Builder
	b.WriteString("| word | meaning |\n|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| %s | %s |\n", r.Name, r.Means)
	}
	return b.String()
}

// Verdicts explains the verdicts, from the best to the undecided one.
var Verdicts = []Meaning{
	{string(Agrees), "the whole 95 % interval of every measured number is within its tolerance, and every measured order and trend holds"},
	{string(Direction), "every measured order and trend holds at the 5 % level and none of the numbers is contradicted, but some are undecided or there are none"},
	{string(Differs), "the runs contradict a measured number, order or trend at the 5 % level, after Holm's correction for the number of criteria"},
	{string(Undecided), "the runs neither show nor contradict some order or trend, or a number where there is no order and no trend"},
}

// EvidenceRules explains the kinds of evidence.
var EvidenceRules = []Meaning{
	{string(Measured), "the result follows from a model that does not know the paper's number; only these criteria count in a verdict"},
	{string(Calibrated), "a parameter was fitted to the same number; the criterion says which, and is shown without being counted"},
	{string(PutIn), "the paper's number or order is an input of the model; the criterion is shown without being counted"},
}

// RulesVersion changes with the rules, to distinguish results by different rules.
const RulesVersion = 2

// Rules explains how a criterion is judged.
var Rules = []Meaning{
	{"number", "A number agrees with its whole 95 % interval inside the tolerance and differs with its whole interval outside."},
	{Mean, "The interval of a mean is Student's; a ratio of means has 10,000 bootstrap resamples of the seeds."},
	{Proportion, "The fraction of the seeds in which something happens has the exact interval of Clopper and Pearson."},
	{Rank, "A figure with a heavy tail is judged by ranks: the median and the sign test, and for differences Hodges and Lehmann's estimate and Wilcoxon's test."},
	{"direction", "An order or trend holds if it is significant at the 5 % level and at least as large as the smallest effect."},
	{"smallest effect", "The smallest effect is half of the effect that the paper prints, or as small as its words allow, such as “comparable”, and the criterion shows it; a smaller effect contradicts the paper. If the paper says nothing about the size it is 5 %, and a smaller effect leaves the criterion undecided."},
	{"range", "A finding that the paper states without a condition has to hold at each level of the declared range, such as loads; the criterion shows at how many levels it does."},
	{"equal seeds", "Equal results with every seed decide: figures that never differ contradict an order."},
	{"seeds", "The number of seeds at reduced size follows from a pilot with other seeds, for a power of 80 %."},
	{"frozen", "Criteria, statistics and numbers of seeds are frozen before the runs; a change is a new revision with a reason, and older records say which revision they had."},
	{"generated", "If a generator stands in for a workload that a paper used and did not publish, the verdict is at best " + string(Direction) + "."},
}
