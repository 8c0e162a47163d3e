package drawing

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"berth/engine/show"
)

// scene is the picture of a placement. Its edges are below all boxes and labels, except the edges
// of clusters that the reader opened, whose boxes cover their surroundings.
type scene struct {
	*canvas
	grid
	cells  map[int]int     // number of each job, by the id of its element
	opened map[int]bool    // clusters that cover other cells
	number map[string]int  // of each job among all, by the id of its element
	ends   map[string]*end // by the id of the element
	links  map[string]float64
	on     map[int][]seated // jobs by cluster; -1 for jobs without one

	lines                      int             // edges so far
	below, boxes, above, chips strings.Builder // above are the edges of opened clusters
}

// newScene assigns cells to clusters.
func (c *canvas) newScene(clusters []int, withJobs bool) *scene {
	s := &scene{canvas: c, cells: map[int]int{}, opened: map[int]bool{}, number: map[string]int{}, ends: map[string]*end{}, links: map[string]float64{}, on: map[int][]seated{}}
	var names, jobs []string
	for i, j := range clusters {
		s.cells[j] = i
		names = append(names, c.federation.Clusters().Name(j))
	}
	for _, p := range c.placed {
		for i := range p.Deployment.Jobs().Len() {
			s.number[JobID(p.Index, i)] = len(s.number)
			s.on[p.at(i)] = append(s.on[p.at(i)], seated{p, i})
			jobs = append(jobs, p.Deployment.Jobs().Name(i))
		}
	}
	s.grid = newGrid(names, jobs, withJobs, c.options.Narrow)
	return s
}

// svg is the whole picture.
func (s *scene) svg() string {
	w, h := s.size()
	class := ""
	if s.options.Narrow {
		class = ` class="narrow"`
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg"%s viewBox="0 0 %.0f %.0f" font-family="Helvetica, Arial, sans-serif">`, class, w, h) +
		fmt.Sprintf(`<g class="graph" data-font="%g" font-size="%[1]g" fill="%s">`, chipFont, ink) +
		s.below.String() + s.boxes.String() + s.above.String() + s.chips.String() + "</g></svg>"
}

// outline returns the stroke of an element, dashed and wide in the conflict set.
func (s *scene) outline(id, colour string) string {
	if s.core[id] {
		s.key("core")
		return fmt.Sprintf(` stroke="%s" stroke-width="3" stroke-dasharray="5,2"`, coreColour)
	}
	return fmt.Sprintf(` stroke="%s"`, colour)
}

// box draws a rectangle.
func box(r rect, round float64, more string) string {
	return fmt.Sprintf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%g"%s/>`, r.x, r.y, r.w, r.h, round, more)
}

// group begins an element.
func (s *scene) group(class, id, title string) string {
	if s.core[id] {
		class += " core"
	}
	return fmt.Sprintf(`<g id="%s" class="%s"><title>%s</title>`, id, class, html.EscapeString(title))
}

// seated is a job of a deployment.
type seated struct {
	of  Placed
	job int
}

func (m seated) id() string   { return JobID(m.of.Index, m.job) }
func (m seated) name() string { return m.of.Deployment.Jobs().Name(m.job) }

// cluster draws a cluster with its jobs.
func (s *scene) cluster(j int) {
	cell, members := s.cell(s.cells[j]), s.on[j]
	frame, across, down, ground := cell, s.across, s.down, ` fill="none"`
	if s.opened[j] {
		frame, across, down = s.open(cell, len(members))
		ground = fmt.Sprintf(` fill="%s"`, paper)
	}
	seats := s.seat(members, s.inside(frame), across, down, s.cells[j])
	if !s.opened[j] {
		frame = s.holding(cell, seats)
	}
	id, name := ClusterID(j), s.federation.Clusters().Name(j)
	s.boxes.WriteString(s.group("cluster", id, "cluster "+show.Text(name)) + box(frame, 8, ground+s.outline(id, faint)))
	s.head(frame, name, s.figures(j), j)
	s.boxes.WriteString(box(cell, 0, ` fill="none"`) + "</g>\n") // the area on which a job can be dropped
	s.clusterElement(j)
}

// collapsed draws a cluster without its jobs.
func (s *scene) collapsed(j int) {
	frame := s.holding(s.cell(s.cells[j]), nil)
	id, name, ground, count := ClusterID(j), s.federation.Clusters().Name(j), paper, ""
	if n := s.canvas.jobs[j]; n > 0 {
		ground, count = fill, show.Count(n, "job")
	}
	s.boxes.WriteString(s.group("node collapsed", id, "cluster "+show.Text(name)) + box(frame, 8, fmt.Sprintf(` fill="%s"`, ground)+s.outline(id, faint)))
	s.head(frame, name, count, j)
	s.boxes.WriteString("</g>\n")
	s.clusterElement(j)
	s.ends[id] = &end{seat: seat{rect: frame}, id: id, title: name, cell: s.cells[j]}
}

// figures returns the usage of a cluster in percent and the cost of its jobs, as text.
func (s *scene) figures(j int) string {
	var words []string
	if percent, known := s.share(j); known {
		words = append(words, fmt.Sprintf("%d\u202f%%", percent))
	}
	cost, priced := 0.0, s.canvas.jobs[j] > 0
	for _, m := range s.on[j] {
		priced = priced && s.problem(m.of).Priced()
		cost += s.problem(m.of).NodeCost(int32(m.job), j)
	}
	if priced {
		words = append(words, show.Money(cost))
	}
	return strings.Join(words, " · ")
}

// head writes the title and the figures of a cluster above its usage bar, on a background that
// receives the pointer.
func (s *scene) head(frame rect, name, figures string, j int) {
	inner := rect{frame.x + boxPad, frame.y + s.heading - 16, frame.w - 2*boxPad, 6}
	fmt.Fprintf(&s.boxes, `%s<text x="%.1f" y="%.1f" font-weight="bold">%s</text> <text x="%.1f" y="%.1f" text-anchor="end" font-size="12">%s</text>`,
		box(rect{frame.x + 1.5, frame.y + 1.5, frame.w - 3, s.heading - 8}, 7, ` fill-opacity="0"`),
		inner.x, frame.y+19, html.EscapeString(drawnName(name)), inner.right(), inner.y-9, html.EscapeString(figures))
	percent, known := s.share(j)
	if !known {
		return
	}
	s.key("bar")
	s.boxes.WriteString(box(inner, 0, fmt.Sprintf(` fill="%s" stroke="%s"`, paper, faint)))
	inner.w *= min(1, float64(percent)/100)
	s.boxes.WriteString(box(inner, 0, fmt.Sprintf(` fill="%s"`, accent)))
}

// seat draws jobs in an area.
func (s *scene) seat(members []seated, area rect, across, down, cell int) []seat {
	numbers := make([]int, len(members))
	for i, m := range members {
		numbers[i] = s.number[m.id()]
	}
	seats, ends := s.seats(area, across, down, numbers), make([]*end, len(members))
	for i, m := range members {
		ends[i] = &end{seat: seats[i], id: m.id(), title: m.name(), cell: cell, beside: ends}
		s.ends[m.id()] = ends[i]
		s.job(m, seats[i])
	}
	return seats
}

// job draws the box of a job.
func (s *scene) job(m seated, at seat) {
	id, colour := m.id(), deploymentColours[m.of.Index%len(deploymentColours)]
	title := "job " + show.Text(m.name())
	if j := m.of.at(m.job); j >= 0 {
		title += " on " + show.Text(s.federation.Clusters().Name(j))
	}
	s.chips.WriteString(s.group(fmt.Sprintf("node job deployment-%d", m.of.Index%len(deploymentColours)), id, title) +
		box(at.rect, 6*at.scale, fmt.Sprintf(` fill="%s"`, fill)+s.outline(id, colour)))
	if s.ruled[id] != nil {
		s.key("ruled")
		inner := rect{at.x + 3*at.scale, at.y + 3*at.scale, at.w - 6*at.scale, at.h - 6*at.scale}
		s.chips.WriteString(box(inner, 4*at.scale, fmt.Sprintf(` fill="none" stroke="%s"`, colour)))
	}
	size := ""
	if at.scale < 1 {
		size = fmt.Sprintf(` font-size="%.1f"`, chipFont*at.scale)
	}
	fmt.Fprintf(&s.chips, `<text x="%.1f" y="%.1f" text-anchor="middle"%s>%s</text></g>`+"\n", at.middle().x, at.middle().y+4.5*at.scale, size, html.EscapeString(drawnName(m.name())))
	s.jobElement(m.of, m.job)
}

var strokes = map[string]string{"dotted": ` stroke-dasharray="2,3"`, "dashed": ` stroke-dasharray="5,2"`, "bold": ` stroke-width="2"`}

// join draws an edge; more has further attributes of its line.
func (s *scene) join(a, b *end, class, id, title, more string) {
	to, r := &s.below, s.route(s.lines)
	s.lines++
	for j := range s.opened {
		if cell := s.cells[j]; a.cell == cell || b.cell == cell {
			to = &s.above
		}
	}
	to.WriteString(s.group("edge "+class, id, title) + fmt.Sprintf(`<path d="%s" fill="none"%s/></g>`, curve(r.path(a, b)), more) + "\n")
}

// dependency draws a dependency between two drawn jobs.
func (s *scene) dependency(p Placed, k int) {
	i, j := p.Deployment.Ends(k)
	a, b := s.ends[JobID(p.Index, i)], s.ends[JobID(p.Index, j)]
	e, class := s.dependencyElement(p, k)
	more := fmt.Sprintf(` stroke="%s"%s`, slackColours[class], strokes[slackLines[class]])
	s.join(a, b, "dependency "+class, e.ID, "dependency "+show.Text(e.Title), more)
	if x, y := p.at(i), p.at(j); x >= 0 && y >= 0 {
		cost := s.problem(p).LinkCost(k, x, y)
		s.links[a.id] += cost
		s.links[b.id] += cost
	}
}

// waiting draws the jobs that wait for a cluster below all clusters. Of a deployment that was not
// placed it draws the jobs of the conflict set.
func (s *scene) waiting(core bool) {
	var members []seated
	for _, m := range s.on[-1] {
		if m.of.Cluster != nil || core && s.core[m.id()] {
			members = append(members, m)
		}
	}
	shelf := s.shelf()
	s.seat(members, shelf, max(1, int((shelf.w+chipApart)/(s.chip+chipApart))), 1, -1)
}

// costs sets the cost of each job on its cluster, including its links.
func (s *scene) costs() {
	for i := range s.drawing.Elements {
		e := &s.drawing.Elements[i]
		deployment, job, ok := JobOf(e.ID)
		if at := slices.IndexFunc(s.placed, func(p Placed) bool { return p.Index == deployment }); ok && e.Cluster >= 0 && s.problem(s.placed[at]).Priced() {
			e.Cost = new(s.problem(s.placed[at]).NodeCost(int32(job), e.Cluster) + s.links[e.ID])
		}
	}
}
