package docs

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"strings"

	"berth/engine/federate/federatekind"
	"berth/engine/gallery/claims"
	_ "berth/engine/kinds"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/graphviz"
)

// figure draws the figure that what describes, and adds the caption. what is a kind and, for most
// kinds, a scenario.
func figure(files offers, what, caption string) (string, error) {
	kind, name, _ := strings.Cut(what, " ")
	if kind == "packages" {
		drawing, table, err := packagesFigure()
		return framed(drawing, caption) + table, err
	}
	if kind == "sequence" {
		return framed(sequenceFigure(), caption), nil
	}
	if kind == "claims" {
		text, err := claims.Markdown(name)
		return converted(text), err
	}
	if rules, ok := study.RuleLists[name]; ok && kind == "rules" {
		return converted([]byte(study.RuleTable(rules))), nil
	}
	draw, ok := map[string]func(scenario.Scenario) (string, error){
		"placement": placementFigure, "availability": availabilityFigure, "allocation": allocationFigure,
	}[kind]
	if !ok {
		return "", fmt.Errorf("there are no figures of the kind %q", kind)
	}
	s, err := open(files, name)
	if err != nil {
		return "", err
	}
	drawing, err := draw(s)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return framed(drawing, caption), nil
}

// converted renders Markdown that the program generates.
func converted(text []byte) string {
	var out strings.Builder
	_ = markdown.Convert(text, &out) // writing to a builder cannot fail
	return out.String()
}

func framed(drawing, caption string) string {
	return fmt.Sprintf("<figure>%s<figcaption>%s</figcaption></figure>\n", drawing, template.HTMLEscapeString(caption))
}

func open(files offers, name string) (scenario.Scenario, error) {
	data, err := files.read(name)
	if err != nil {
		return scenario.Scenario{}, err
	}
	return scenario.Decode(data)
}

// addressOf returns the path and the fragment that open a scenario.
func addressOf(s scenario.Scenario) (string, error) {
	fragment, err := scenario.EncodeLink(s)
	if err != nil {
		return "", err
	}
	kind, _ := scenario.Lookup(s.Kind)
	return kind.Path + "#s=" + fragment, nil
}

func placementFigure(s scenario.Scenario) (string, error) {
	e, err := scenario.Prepare(context.Background(), s, scenario.Env{})
	if err != nil {
		return "", err
	}
	work, err := scenario.WorkOf[*placementkind.Prepared](e)
	if err != nil {
		return "", err
	}
	if _, err := e.Run(context.Background()); err != nil {
		return "", err
	}
	drawing, err := work.Draw(placementkind.DrawQuery{Options: drawing.Options{View: drawing.ResultView}})
	if err != nil {
		return "", err
	}
	return drawing.SVG, nil
}

func drawn(dot string) (string, error) {
	svg, err := graphviz.Render(context.Background(), []byte(dot), graphviz.Options{Layout: graphviz.Dot, Format: graphviz.SVG})
	if err != nil {
		return "", err
	}
	svg, err = graphviz.Sanitise(svg)
	return string(svg), err
}

// allocationFigure draws, for each scheduler, the share of tasks that waited at most
// a given time.
func allocationFigure(s scenario.Scenario) (string, error) {
	report, err := scenario.Run(context.Background(), s, scenario.Env{})
	if err != nil {
		return "", err
	}
	c := chart{x: "allocation time, s", y: "share of tasks", from: 1e-4}
	for _, one := range federatekind.ReportOf(report).Schedulers {
		if one.Distribution.Upper == 0 {
			continue // the ideal scheduler starts every task immediately
		}
		l := line{name: one.Name}
		done := one.Distribution.Zero
		for i, count := range one.Distribution.Count {
			done += count
			l.points = append(l.points, [2]float64{one.Distribution.End(i), float64(done) / float64(one.Tasks)})
		}
		c.lines = append(c.lines, l)
	}
	return c.svg(), nil
}

// availabilityFigure draws the mean availability of each class, by policy, and its
// SLO.
func availabilityFigure(s scenario.Scenario) (string, error) {
	report, err := scenario.Run(context.Background(), s, scenario.Env{})
	if err != nil {
		return "", err
	}
	body := qoskind.ReportOf(report)
	c := chart{x: "service class", y: "mean availability"}
	promised := line{name: "promised"}
	for i, class := range body.Classes {
		c.names = append(c.names, class.Name)
		promised.points = append(promised.points, [2]float64{float64(i), class.SLO})
	}
	c.lines = append(c.lines, promised)
	for i := range body.Policies {
		p := &body.Policies[i]
		l := line{name: cmp.Or(p.Title, p.Name)}
		for at, class := range body.Classes {
			for _, f := range p.Run.Classes {
				if f.Name == class.Name {
					l.points = append(l.points, [2]float64{float64(at), float64(f.Availability.Mean)})
				}
			}
		}
		c.lines = append(c.lines, l)
	}
	return c.svg(), nil
}
