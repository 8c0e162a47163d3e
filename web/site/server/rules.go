package server

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// rules is the part of netlify.toml that concerns serving.
type rules struct {
	Build struct {
		Command, Publish string
		Environment      map[string]string
	}
	Headers   []headerRule
	Redirects []redirect
}

type headerRule struct {
	For    string
	Values map[string]string

	pattern *regexp.Regexp
}

type redirect struct {
	From   string
	To     string
	Status int

	pattern *regexp.Regexp
}

// readRules reads netlify.toml. A rule that this server would treat differently from
// Netlify is an error.
func readRules(file string) (*rules, error) {
	var r rules
	meta, err := toml.DecodeFile(file, &r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: %s is not understood by this server", file, unknown[0])
	}
	for i := range r.Headers {
		h := &r.Headers[i]
		h.pattern, err = compilePattern(h.For)
		if err != nil {
			return nil, fmt.Errorf("%s: headers for %q: %w", file, h.For, err)
		}
	}
	for i := range r.Redirects {
		d := &r.Redirects[i]
		d.pattern, err = compilePattern(d.From)
		if err != nil {
			return nil, fmt.Errorf("%s: redirect from %q: %w", file, d.From, err)
		}
		if d.Status != http.StatusOK && d.Status != http.StatusNotFound {
			return nil, fmt.Errorf("%s: redirect from %q has status %d; only the rewrites 200 and 404 are supported", file, d.From, d.Status)
		}
	}
	return &r, nil
}

// compilePattern compiles exact paths, ":name" for one segment, and "*" as the last
// segment for any rest.
func compilePattern(path string) (*regexp.Regexp, error) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil, fmt.Errorf("a path starts with a slash")
	}
	var pattern strings.Builder
	segments := strings.Split(rest, "/")
	for i, segment := range segments {
		pattern.WriteByte('/')
		switch {
		case segment == "*" && i == len(segments)-1:
			pattern.WriteString(".*")
		case strings.Contains(segment, "*"):
			return nil, fmt.Errorf("a wildcard may only be the last segment")
		case strings.HasPrefix(segment, ":"):
			pattern.WriteString("[^/]+")
		default:
			pattern.WriteString(regexp.QuoteMeta(segment))
		}
	}
	return regexp.Compile("^" + pattern.String() + "$")
}

// apply sets the headers of all rules that match; like Netlify, it joins the values
// of several rules for one header.
func (r *rules) apply(header http.Header, path string) {
	for _, rule := range r.Headers {
		if !rule.pattern.MatchString(path) {
			continue
		}
		for name, value := range rule.Values {
			if present := header.Get(name); present != "" {
				value = present + "," + value
			}
			header.Set(name, value)
		}
	}
}

// rewrite returns the file and status for a path without a file.
func (r *rules) rewrite(path string) (file string, status int, ok bool) {
	for _, d := range r.Redirects {
		if d.pattern.MatchString(path) {
			return d.To, d.Status, true
		}
	}
	return "", 0, false
}
