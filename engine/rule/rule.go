package rule

import (
	"berth/engine/show"
	"fmt"
	"strings"
)

// Verb is the kind of a rule.
type Verb uint8

// Verbs, with their meaning for the fields of a [Rule].
const (
	Only     Verb = iota // the jobs run only on clusters that match Where
	Never                // the jobs never run on clusters that match Where
	Apart                // all jobs have different values of By
	Together             // all jobs have the same value of By
	Most                 // at most N of the jobs per value of By
	Spread               // numbers of jobs per value of By differ by at most N
	Clusters             // the jobs use at most N clusters; with By, the values of By on their clusters are at most N
	Least                // like Clusters, but at least N
	Count                // at most N of the jobs run on clusters that match Where
)

// Rule is a constraint on the clusters of jobs.
type Rule struct {
	Verb  Verb
	Jobs  []Selector // the jobs it applies to; empty means all jobs
	Where Match      // for Only, Never and Count
	By    string     // attribute of clusters: for Apart, Together, Most and Spread; optional for Clusters and Least
	N     int        // for Most, Spread, Clusters, Least and Count
}

// Selector selects one job by id, or with Attribute, all jobs with that value.
type Selector struct{ Attribute, Value string }

// Match matches clusters whose attribute has one of the values.
type Match struct {
	Attribute string
	Values    []string
}

// Cluster is an attribute that every cluster has; its value is the cluster's id.
const Cluster = "cluster"

// Text formats rules so that [Parse] restores them.
func Text(rules []Rule) string {
	return show.Joined(rules, "; ", Rule.String)
}

// String formats a rule in the syntax of [Parse].
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

// groups formats the number of clusters, or of values of an attribute.
func (r *Rule) groups() string {
	if r.By == "" {
		return show.Count(r.N, "cluster")
	}
	return show.Count(r.N, "value") + " of " + word(r.By)
}

func (m Match) String() string {
	return word(m.Attribute) + "=" + show.Joined(m.Values, ",", word)
}

// String formats a selector in the syntax of [Parse].
func (s Selector) String() string {
	if s.Attribute == "" {
		return word(s.Value)
	}
	return word(s.Attribute) + "=" + word(s.Value)
}

func selectors(all []Selector) string {
	return show.Joined(all, " ", Selector.String)
}

// word quotes a word that would otherwise be read as a keyword or as several tokens.
func word(s string) string {
	if s == "" || keywords[s] || strings.IndexFunc(s, delimits) >= 0 {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}
