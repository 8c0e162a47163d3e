package rule_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"berth/engine/rule"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":                                           "",
		" ;\n; ":                                     "",
		"only region=eu":                             "only region=eu",
		"only region=eu,us , ap":                     "only region=eu,us,ap",
		"api db: never provider=x":                   "api db: never provider=x",
		"apart web-1, web-2 by region":               "apart web-1 web-2 by region",
		"apart web-1 web-1 web-2 by region":          "apart web-1 web-2 by region",
		"web-1 web-2: apart by region":               "apart web-1 web-2 by region",
		"together api db by zone":                    "together api db by zone",
		"at most 2 of group=web per zone":            "at most 2 of group=web per zone",
		"spread group=web by region":                 "spread group=web by region skew 1",
		"spread group=web by region skew 3":          "spread group=web by region skew 3",
		"at most 3 clusters":                         "at most 3 clusters",
		"group=web: at most 1 cluster":               "group=web: at most 1 cluster",
		"at least 2 clusters":                        "at least 2 clusters",
		"a b: at most 2 values of region":            "a b: at most 2 values of region",
		"a: at least 1 value of rack; only a=b":      "a: at least 1 value of rack; only a=b",
		"at most 4 jobs of licence=oracle":           "at most 4 jobs of licence=oracle",
		"only cluster=eu-1; never rack=7\nonly a=b;": "only cluster=eu-1; never rack=7; only a=b",
		`apart "the db" "by" "a\"b\\c" by zone`:      `apart "the db" "by" "a\"b\\c" by zone`,
		`default/web: only "kubernetes.io/os"=linux`: `default/web: only kubernetes.io/os=linux`,
	} {
		rules, err := rule.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := rule.Text(rules); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"onyl region=eu":                             `0: found "onyl", expected only, never, apart, together, at most, at least or spread`,
		"only region":                                `11: found the end, expected = and a value of region`,
		"only":                                       `4: found the end, expected an attribute of clusters, such as region=eu`,
		"only region=eu; apart a b":                  `25: found the end, expected a job, or "by" and an attribute of clusters`,
		"at most x clusters":                         `8: found "x", expected a whole number from 0 to 1000000`,
		"at most 99999999 clusters":                  `8: found "99999999", expected a whole number from 0 to 1000000`,
		"at last 3 clusters":                         `3: found "last", expected "most" or "least"`,
		"at least 3 jobs of a=b":                     `11: found "jobs", expected "clusters" or "values of"`,
		"at most 3 zones":                            `10: found "zones", expected "clusters", "values of", "jobs of" or "of"`,
		"only region=eu us":                          `15: found "us", expected the end of the rule, or a semicolon`,
		`only region="eu`:                            `12: a quote that does not end`,
		"a: apart b by zone":                         `0: jobs before and behind "apart" or its like: write them once`,
		strings.Repeat("only a=b;", rule.MaxRules+1): "9000: more than 1000 rules",
	} {
		_, err := rule.Parse(text)
		e, ok := errors.AsType[*rule.Error](err)
		if !ok {
			t.Errorf("%.40q: %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%d: %s", e.Offset, e.Message()); got != want {
			t.Errorf("%.40q: %s, want %s", text, got, want)
		}
	}
}

// A written rule reads back to the same rule.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"only region=eu", `a "b c": never x=y,"z"`, "at most 2 of group=web per zone", "spread a b by c skew 0\ntogether a by b", `apart "\"" by "\\"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := rule.Parse(text)
		if err != nil {
			if e, ok := errors.AsType[*rule.Error](err); !ok || e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("%#v", err)
			}
			return
		}
		again, err := rule.Parse(rule.Text(rules))
		if err != nil || rule.Text(again) != rule.Text(rules) {
			t.Fatalf("%q reads back as %q: %v", rule.Text(rules), rule.Text(again), err)
		}
	})
}
