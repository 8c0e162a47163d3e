package library

import (
	"fmt"
	"strings"
	"time"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/store"
)

// keyFigures summarises the report of a run in a few words, as in "heuristic: 20 of 20 jobs, cost 2
// 321", or returns "". earlier says if an earlier engine computed the report.
func keyFigures(report []byte) (figures, earlier string) {
	r, err := scenario.DecodeReport(report)
	if err != nil {
		return "", ""
	}
	return figuresOf(r.Body.Headline()), scenario.Earlier(r.Engine)
}

// figuresOf returns a headline in words.
func figuresOf(h scenario.Headline) string {
	text := show.Joined(h.Figures, ", ", figureText)
	if h.Subject != "" {
		text = h.Subject + ": " + text
	}
	return text
}

func figureText(f scenario.Amount) string {
	switch {
	case f.Thing != "" && f.Of != 0:
		return ui.Count(int64(f.Value)) + " of " + ui.Counted(int64(f.Of), f.Thing)
	case f.Thing != "":
		return strings.TrimSpace(ui.Counted(int64(f.Value), f.Thing) + " " + f.Name)
	case f.Unit == "s":
		return f.Name + " " + ui.Duration(time.Duration(f.Value*float64(time.Second)))
	}
	return strings.TrimSpace(f.Name + " " + ui.Number(f.Value) + " " + f.Unit)
}

// rowsText describes the number, the size and the purpose of the kept results.
func rowsText(n, size int) string {
	if n == 0 {
		return "No results of runs are kept."
	}
	return fmt.Sprintf("%s of runs %s %s. The gallery and experiments reuse them; the oldest go first.",
		ui.Counted(n, "result"), show.Verb(n, "takes", "take"), ui.Bytes(int64(size)))
}

// importText describes the result of an import.
func importText(added store.Imported) string {
	text := fmt.Sprintf("Imported %s and %d of the history; %d %s already here.",
		show.Count(added.Saved, "saved scenario"), added.History, added.Known, show.Verb(added.Known, "was", "were"))
	if len(added.Renamed) > 0 {
		text += "Berth renamed those whose names were taken: " + strings.Join(added.Renamed, ", ") + "."
	}
	return text
}
