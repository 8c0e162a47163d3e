package main

import (
	"fmt"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/scenario"
)

var link = &command{
	name: "link", group: filesGroup, summary: "turn a scenario into the fragment of a link, and back",
	use: "SCENARIO.json", args: []string{"SCENARIO.json or FRAGMENT"},
	examples: `  berth link shop.json
  berth link --decode s=2.…`,
	details: `The fragment, "s=2.…", is the part of the page's address after the #. For an example, or
one with a few changes, it is short: "s=e.shop.…". --decode takes it with or without its
"s=", or a whole link; "-" reads one from standard input.`,
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		decode := f.Bool("decode", false, "print the scenario of a link")
		return func(args []string) error {
			if *decode {
				return c.decodeLink(args[0])
			}
			return c.encodeLink(args[0])
		}
	},
}

func (c *call) encodeLink(file string) error {
	d, err := c.scenario(file)
	if err != nil {
		return err
	}
	fragment, err := scenario.ShortLink(d.Scenario)
	if err != nil {
		return badInputf("%s: %w", d.file, err)
	}
	fragment = "s=" + fragment
	if len(fragment) > scenario.LongLink {
		fmt.Fprintf(c.errs, "the link has %d characters; some programs break links above %d: send the file instead\n", len(fragment), scenario.LongLink)
	}
	_, err = fmt.Fprintln(c.out, fragment)
	return err
}

func (c *call) decodeLink(fragment string) error {
	place := ""
	if fragment == "-" {
		from, data, err := c.read("-")
		if err != nil {
			return err
		}
		place, fragment = from+": ", strings.TrimSpace(string(data))
	}
	s, err := scenario.DecodeLink(fragment)
	if err != nil {
		return badInputf("%s%w", place, err)
	}
	if note := scenario.EarlierExample(fragment); note != "" {
		fmt.Fprintln(c.errs, note)
	}
	_, err = c.out.Write(scenario.Encode(s))
	return err
}
