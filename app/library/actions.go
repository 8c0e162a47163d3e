package library

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

func (l *Library) openEntry(id string) {
	var s scenario.Scenario
	l.act("The scenario could not be opened", func(ctx context.Context) (err error) {
		s, err = l.shelf.load(ctx, id)
		return err
	}, func() { l.open(l.page, "open "+s.Name, s) })
}

// compare opens a pair once the user has chosen both entries.
func (l *Library) compare(id string) {
	first := l.comparing
	l.comparing = ""
	if first == "" {
		l.comparing = id
	}
	if first == "" || first == id {
		return
	}
	var before, after scenario.Scenario
	l.act("The scenarios could not be compared", func(ctx context.Context) (err error) {
		before, err = l.shelf.load(ctx, first)
		if err != nil {
			return err
		}
		after, err = l.shelf.load(ctx, id)
		if err == nil && before.Kind != after.Kind {
			err = fmt.Errorf("one is a scenario of %s, the other of %s: choose two of one kind", before.Kind, after.Kind)
		}
		return err
	}, func() { l.pair(l.page, "compare "+before.Name+" with "+after.Name, before, after) })
}

func (l *Library) startRename(ctx app.Context, id string) {
	l.renaming = id
	ui.Focus(ctx, "library-rename")
}

func (l *Library) leaveRename(ctx app.Context, e app.Event) {
	if e.Get("key").String() != "Escape" {
		ctx.PreventUpdate()
		return
	}
	l.renaming = ""
}

// rename saves an entry under a new name and removes the old one. It refuses a name that another
// entry has.
func (l *Library) rename(id, name string) {
	l.renaming = ""
	name = strings.TrimSpace(name)
	for _, e := range l.saved {
		switch {
		case e.ID == id && e.Name == name || name == "":
			return
		case e.ID != id && e.Name == name:
			shell.Announce(l.page, "There is already a scenario called "+name+".")
			return
		}
	}
	l.act("The scenario could not be renamed", func(ctx context.Context) error {
		s := l.shelf.get(ctx)
		e, err := s.Load(ctx, id)
		if err != nil {
			return err
		}
		e.Scenario, err = l.shelf.rename(ctx, e.Scenario, name)
		if err != nil {
			return err
		}
		e.Name = name
		if err := s.Save(ctx, e); err != nil {
			return err
		}
		return s.Delete(ctx, id)
	}, l.refresh)
}

// deleteEntry removes an entry and keeps it for Undo.
func (l *Library) deleteEntry(id string, saved bool) {
	var e store.Entry
	l.act("The scenario could not be deleted", func(ctx context.Context) (err error) {
		e, err = l.shelf.get(ctx).Load(ctx, id)
		if err != nil {
			return err
		}
		return l.shelf.get(ctx).Delete(ctx, id)
	}, func() {
		l.deleted = append(l.deleted, removal{e, saved})
		shell.Announce(l.page, "Deleted. Undo brings it back.")
		l.refresh()
	})
}

// undelete restores the entry that was deleted last.
func (l *Library) undelete(app.Context, app.Event) {
	if len(l.deleted) == 0 {
		return
	}
	e := l.deleted[len(l.deleted)-1]
	l.deleted = l.deleted[:len(l.deleted)-1]
	l.act("It could not be brought back", func(ctx context.Context) error {
		if e.saved {
			return l.shelf.get(ctx).Save(ctx, e.Entry)
		}
		return l.shelf.get(ctx).Record(ctx, e.Entry)
	}, l.refresh)
}

func (l *Library) exportAll(app.Context, app.Event) {
	var data []byte
	var left []string
	l.act("The library could not be exported", func(ctx context.Context) (err error) {
		data, left, err = l.shelf.get(ctx).Export(ctx)
		return err
	}, func() {
		ui.Download("berth-library.json", "application/json", data)
		for _, b := range l.broken {
			if !slices.Contains(left, b.ID) {
				left = append(left, b.ID)
			}
		}
		if n := len(left); n > 0 {
			shell.Announce(l.page, ui.Counted(n, "damaged record")+" could not be exported.")
		}
	})
}

// saveRecord offers a damaged record as a file.
func (l *Library) saveRecord(id string) {
	var data []byte
	l.act("The record could not be saved", func(ctx context.Context) (err error) {
		data, err = l.shelf.get(ctx).Raw(ctx, id)
		return err
	}, func() { ui.Download("berth-record.json", "application/json", data) })
}

func (l *Library) deleteRecord(id string) {
	l.act("The record could not be deleted", func(ctx context.Context) error {
		return l.shelf.get(ctx).Delete(ctx, id)
	}, l.refresh)
}

// clearRows removes the results of runs. Experiments that need them run again.
func (l *Library) clearRows(app.Context, app.Event) {
	l.act("The results of runs could not be removed", func(ctx context.Context) error {
		return l.shelf.clearRows(ctx)
	}, func() {
		shell.Announce(l.page, "The results of runs were removed.")
		l.refresh()
	})
}

// importFiles imports libraries. It opens a file that is a scenario instead.
func (l *Library) importFiles(_ app.Context, files []ui.File) {
	for _, f := range files {
		f.Read(l.page, f.Size, func(_ app.Context, data []byte, problem string) {
			if problem != "" {
				shell.SetError(l.page, Path, problem)
				return
			}
			l.importData(f.Name, data)
		})
	}
}

func (l *Library) importData(name string, data []byte) {
	var file bridge.Opened
	var added store.Imported
	l.act(name+" could not be imported", func(ctx context.Context) (err error) {
		file, err = l.shelf.engine.Open(ctx, bridge.OpenQuery{}, bridge.Moved(data))
		if err != nil || file.Archive == nil {
			return err
		}
		added, err = l.shelf.get(ctx).Import(ctx, file.Archive)
		return err
	}, func() {
		if file.Scenario != nil {
			l.open(l.page, "open "+name, *file.Scenario)
			return
		}
		shell.Announce(l.page, importText(added))
		l.refresh()
	})
}
