package parameter

import (
	"cmp"
	"fmt"
	"strings"
)

// Table writes parameters as a table in Markdown, with their names where sweeps
// have them.
func Table(rows []Parameter, sweeps bool) string {
	var b strings.Builder
	head := "flag"
	if sweeps {
		head += ", sweep"
	}
	b.WriteString("| parameter | document | " + head + " | values | default | what |\n|---|---|---|---|---|---|\n")
	for _, p := range rows {
		usual := cmp.Or(p.Usual, withUnit(p.Text(p.Default), p.Unit))
		if p.Required {
			usual = ""
		}
		p.Above = p.positive()
		flag := "`--" + p.Flag() + "`"
		if sweeps {
			flag += ", `" + p.Name + "`"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", p.In(p.Unit), p.JSONPath(), flag, p.Expected(), usual, strings.ReplaceAll(p.Help, "`", ""))
	}
	return b.String()
}
