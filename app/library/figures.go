package library

import (
	"fmt"
	"strings"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/store"
)

// keyFigures is the result of a run in one sentence, taken from its report: "placed 20 of 20 jobs ·
// cost 2 321". earlier names the engine if an earlier version computed it.
func keyFigures(report []byte) (figures, earlier string) {
	r, err := scenario.DecodeReport(report)
	if err != nil {
		return "", ""
	}
	return r.Headline, scenario.Earlier(r.Engine)
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
		text += " Berth renamed those whose names were taken: " + strings.Join(added.Renamed, ", ") + "."
	}
	return text
}
