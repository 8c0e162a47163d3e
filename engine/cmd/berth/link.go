package main

import (
	"fmt"
	"strings"

	"berth/engine/scenario"
)

var link = &command{
	name: "link", summary: "turn a scenario into the fragment of a link, and back",
	usage: "  berth link SCENARIO.json\n  berth link --decode FRAGMENT",
	details: `The fragment, "s=2.…", is all that stands behind the # of the page's address.
--decode takes it with or without its "s=", or a whole link, and "-" for one on
standard input.`,
	run: runLink,
}

func runLink(c *call) error {
	f := c.flags()
	decode := f.Bool("decode", false, "print the scenario of a link")
	args, err := c.parse(f, "SCENARIO.json or FRAGMENT")
	if err != nil {
		return err
	}
	if *decode {
		return c.decodeLink(args[0])
	}
	_, _, s, err := c.scenario(args[0])
	if err != nil {
		return err
	}
	fragment, err := scenario.EncodeLink(s)
	if err != nil {
		return badInput{err}
	}
	fragment = "s=" + fragment
	if len(fragment) > scenario.LongLink {
		fmt.Fprintf(c.errs, "the link has %d characters: above %d some programs break it, so send the file instead\n", len(fragment), scenario.LongLink)
	}
	_, err = fmt.Fprintln(c.out, fragment)
	return err
}

func (c *call) decodeLink(fragment string) error {
	if fragment == "-" {
		_, data, err := c.read("-")
		if err != nil {
			return err
		}
		fragment = strings.TrimSpace(string(data))
	}
	s, err := scenario.DecodeLink(fragment)
	if err != nil {
		return badInput{err}
	}
	_, err = c.out.Write(scenario.Encode(s))
	return err
}
