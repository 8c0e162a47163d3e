package parameter

import (
	"cmp"
	"fmt"
	"strings"
)

// Table writes parameters as a table in Markdown.
func Table(rows []Parameter) string {
	var b strings.Builder
	b.WriteString("| parameter | document | flag, sweep | values | default | what |\n|---|---|---|---|---|---|\n")
	for _, p := range rows {
		usual := cmp.Or(p.Usual, withUnit(p.Text(p.Default), p.Unit))
		if p.Required {
			usual = ""
		}
		p.Above = p.positive()
		fmt.Fprintf(&b, "| %s | `%s` | `--%s`, `%s` | %s | %s | %s |\n", p.In(p.Unit), p.JSONPath(), p.Flag(), p.Name, p.Expected(), usual, strings.ReplaceAll(p.Help, "`", ""))
	}
	return b.String()
}
