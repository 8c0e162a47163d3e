package build

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	anyTag  = regexp.MustCompile(`<(/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+(?:="(?:[^"\\]|\\.)*")?)*)\s*(/?)>`)
	anyPair = regexp.MustCompile(`([\w:-]+)(?:="((?:[^"\\]|\\.)*)")?`)
	// properties are attributes that take effect by their presence, regardless of their value.
	properties = []string{"autofocus", "checked", "disabled", "hidden", "multiple", "open", "readonly", "required", "selected"}
	void       = []string{"br", "hr", "img", "input", "link", "meta", "wbr"}
)

// repair converts go-app's HTML of a page into the elements that go-app creates in a
// browser. go-app's HTML puts every child on its own line, which a browser would show
// as a space; escapes attributes like Go strings; omits the value "true"; and writes
// absent attributes as "false". repair also gives controls the values that the page
// sets in the browser (see ui.Showing).
func repair(page string) (string, error) {
	var b strings.Builder
	var open []tag
	for page != "" {
		at := anyTag.FindStringSubmatchIndex(page)
		if at == nil {
			return "", fmt.Errorf("what go-app wrote does not end with a tag: %.80q", page)
		}
		text := page[:at[0]]
		closing, name, selfClosing := page[at[2]:at[3]] != "", page[at[4]:at[5]], page[at[8]:at[9]] != ""
		attributes := page[at[6]:at[7]]
		page = page[at[1]:]
		if err := writeText(&b, text, len(open), closing); err != nil {
			return "", err
		}
		if closing {
			if len(open) == 0 || open[len(open)-1].name != name {
				return "", fmt.Errorf("</%s> closes what is not open", name)
			}
			open = open[:len(open)-1]
			fmt.Fprintf(&b, "</%s>", name)
			continue
		}
		e := newElement(name, attributes, open)
		b.WriteString(e.tag(selfClosing))
		if name == "textarea" {
			b.WriteString(html.EscapeString(e.value))
		}
		if !selfClosing && !slices.Contains(void, name) {
			open = append(open, e)
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("<%s> is not closed", open[len(open)-1].name)
	}
	return b.String(), nil
}

// tag is a tag with its attributes, in alphabetical order.
type tag struct {
	name       string
	attributes []string
	value      string // value that the page would set in the control
}

func newElement(name, text string, open []tag) tag {
	e := tag{name: name}
	values := map[string]string{}
	for _, pair := range anyPair.FindAllStringSubmatch(text, -1) {
		key, value := pair[1], pair[2]
		switch {
		case !strings.Contains(pair[0], "="):
			value = "true"
		case strings.Contains(value, `\`):
			if unquoted, err := strconv.Unquote(`"` + value + `"`); err == nil {
				value = html.EscapeString(unquoted)
			}
		}
		values[key] = value
		if slices.Contains(properties, key) {
			if value != "true" {
				continue
			}
			value = ""
		}
		e.attributes = append(e.attributes, fmt.Sprintf(`%s="%s"`, key, value))
	}
	e.value = html.UnescapeString(values["data-value"])
	switch _, control := values["data-control"]; {
	case name == "option" && slices.ContainsFunc(open, func(s tag) bool { return s.name == "select" && s.value == html.UnescapeString(values["value"]) }):
		e.attributes = append(e.attributes, `selected=""`)
	case !control || name != "input":
	case values["type"] == "checkbox":
		if e.value == "true" {
			e.attributes = append(e.attributes, `checked=""`)
		}
	default:
		e.attributes = append(e.attributes, fmt.Sprintf(`value="%s"`, values["data-value"]))
	}
	slices.Sort(e.attributes)
	return e
}

func (e tag) tag(selfClosing bool) string {
	end := ""
	if selfClosing {
		end = "/"
	}
	return "<" + strings.Join(append([]string{e.name}, e.attributes...), " ") + end + ">"
}

// writeText writes the texts between two tags. If the next tag is on its own line,
// go-app indented these texts by two spaces for each element around them; writeText
// removes the indentation.
func writeText(b *strings.Builder, text string, around int, closing bool) error {
	if strings.ContainsAny(text, "<>") {
		return fmt.Errorf("what go-app wrote is no text: %.80q", text)
	}
	indent := strings.Repeat("  ", around)
	end := "\n" + indent
	if closing {
		end = "\n" + indent[min(2, len(indent)):]
	}
	lines, formatted := strings.CutSuffix(text, end)
	if !formatted {
		b.WriteString(text)
		return nil
	}
	for line := range strings.SplitSeq(lines, "\n") {
		line, own := strings.CutPrefix(line, indent)
		if !own && line != "" { // a further line of the text; an empty text has no indentation
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return nil
}
