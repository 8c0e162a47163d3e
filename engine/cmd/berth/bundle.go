package main

import (
	"crypto/sha256"
	"fmt"
	flag "github.com/spf13/pflag"
	"io"
	"strings"
	"unicode/utf8"

	"berth/engine/bundle"
	"berth/engine/scenario"
	"berth/engine/study"
)

func (c *call) bundles(f *flag.FlagSet) *output {
	return c.writes(f, "bundle", "also write a bundle, a zip that berth run --verify checks, to `FILE`")
}

// writeBundle writes the bundle of a scenario, which must contain all its texts. cite is the
// citation for the manifest, or "".
func writeBundle(to *output, s scenario.Scenario, r *scenario.Report, cite string) error {
	b, err := bundle.New(s, r)
	if err != nil {
		return err
	}
	b.Manifest.Cite = cite
	data, err := b.Encode()
	if err != nil {
		return fmt.Errorf("%s: %w", to.name, err)
	}
	return to.whole(data)
}

// pack writes the bundle of an experiment if --bundle is given.
func (p *sweepFlags) pack(s scenario.Scenario, r *study.Report, cite string) error {
	if p.bundle.name == "" {
		return nil
	}
	report, err := scenario.Conclude(s, r)
	if err != nil {
		return err
	}
	return writeBundle(p.bundle, s, report, cite)
}

// embed replaces the file references of a scenario by the texts of the files. The hash of the
// scenario stays the same. embed warns about a file that has changed since the scenario was made.
func (c *call) embed(d *document) error {
	d.Scenario = d.Scenario.Clone()
	most := int64(scenario.MaxBytes)
	return c.eachFile(d.Scenario, d, func(slot scenario.Slot, file *input) error {
		r, err := file.unpacked()
		if err != nil {
			return err
		}
		text, err := io.ReadAll(io.LimitReader(r, most+1))
		if err != nil {
			return unreadable(file.name, err)
		}
		most -= int64(len(text))
		if most < 0 || !utf8.Valid(text) {
			return badInputf("%s: a bundle has at most %d bytes of text in UTF-8", file.name, scenario.MaxBytes)
		}
		if warning := slot.Source.Identify(fmt.Sprintf("%x", sha256.Sum256(text))); warning != "" {
			fmt.Fprintln(c.errs, "warning:", warning)
		}
		slot.Source.Text, slot.Source.SHA256 = string(text), ""
		return nil
	})
}

// warnEarlier warns that an earlier engine computed the result in a file. do is advice for the
// user.
func (c *call) warnEarlier(name, engine, do string) {
	if earlier := scenario.Earlier(engine); earlier != "" {
		fmt.Fprintf(c.errs, "%s: %s; this one is %s. %s.\n", name, earlier, scenario.Engine, do)
	}
}

// verify repeats the run of a bundle and reports whether the results are equal byte for byte.
func (c *call) verify(file string, env scenario.Env) error {
	name, data, err := c.read(file)
	if err != nil {
		return err
	}
	b, err := bundle.Decode(data)
	if err != nil {
		return badInputf("%s: %w", name, err)
	}
	differences, err := b.Verify(c, env)
	if err != nil {
		return inFile(name, err)
	}
	c.warnEarlier(name, b.Manifest.Engine, "To bundle its run again, give it to berth run with --bundle")
	if len(differences) > 0 {
		var out strings.Builder
		for _, d := range differences {
			fmt.Fprintf(&out, "%s: %s\n", name, d)
		}
		if err := c.write([]byte(out.String())); err != nil {
			return err
		}
		return errNotPlaced
	}
	m := &b.Manifest
	return c.write(fmt.Appendf(nil, "%s: the same, byte for byte: scenario %s, results %s, engine %s\n", name, m.Scenario, m.Results, m.Engine))
}
