package rule

import (
	"berth/engine/show"
	"fmt"
	"strings"
)

// Verb says what a rule demands.
type Verb uint8

// The verbs.
const (
	Only     Verb = iota // the jobs stand where Where holds
	Never                // they do not
	Apart                // no two of them have the same By
	Together             // all of them have the same By
	Most                 // N of them at most have the same By
	Spread               // how many have one value of By and another differs by N at most
	Clusters             // they use N clusters at most, or with By clusters with N values of it
	Least                // the same at least
	Count                // N of them at most stand where Where holds
)

// Rule is one demand on where jobs stand.
type Rule struct {
	Verb  Verb
	Jobs  []Selector // whose rule it is; none: all jobs'
	Where Match      // of Only, Never and Count
	By    string     // of Apart, Together, Most and Spread, and perhaps of Clusters and Least: an attribute of clusters
	N     int        // of Most, Spread, Clusters, Least and Count
}

// Selector chooses jobs: the one with an id, or, with an attribute, all that have the value.
type Selector struct{ Attribute, Value string }

// Match holds for the clusters whose attribute has one of the values.
type Match struct {
	Attribute string
	Values    []string
}

// Cluster is the attribute whose value is the id of the cluster.
const Cluster = "cluster"

// Text writes rules as they are read.
func Text(rules []Rule) string {
	return show.Joined(rules, "; ", Rule.String)
}

// String writes a rule as it is read.
func (r Rule) String() string {
	of := ""
	if len(r.Jobs) > 0 {
		of = " " + selectors(r.Jobs)
	}
	subject := ""
	if of != "" {
		subject = of[1:] + ": "
	}
	switch r.Verb {
	case Only:
		return subject + "only " + r.Where.String()
	case Never:
		return subject + "never " + r.Where.String()
	case Apart:
		return "apart" + of + " by " + word(r.By)
	case Together:
		return "together" + of + " by " + word(r.By)
	case Most:
		return fmt.Sprintf("at most %d of%s per %s", r.N, of, word(r.By))
	case Spread:
		return fmt.Sprintf("spread%s by %s skew %d", of, word(r.By), r.N)
	case Clusters:
		return subject + "at most " + r.groups()
	case Least:
		return subject + "at least " + r.groups()
	}
	return fmt.Sprintf("%sat most %s of %s", subject, show.Count(r.N, "job"), r.Where)
}

// groups writes how many clusters, or values of an attribute, a rule is about.
func (r *Rule) groups() string {
	if r.By == "" {
		return show.Count(r.N, "cluster")
	}
	return show.Count(r.N, "value") + " of " + word(r.By)
}

func (m Match) String() string {
	return word(m.Attribute) + "=" + show.Joined(m.Values, ",", word)
}

// String writes a selector as it is read.
func (s Selector) String() string {
	if s.Attribute == "" {
		return word(s.Value)
	}
	return word(s.Attribute) + "=" + word(s.Value)
}

func selectors(all []Selector) string {
	return show.Joined(all, " ", Selector.String)
}

// word quotes what would be read as something else.
func word(s string) string {
	if s == "" || keywords[s] || strings.IndexFunc(s, delimits) >= 0 {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}
