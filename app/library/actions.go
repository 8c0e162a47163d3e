package library

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/store"
)

func (l *Library) openEntry(id string) {
	var s scenario.Scenario
	l.act("The scenario could not be opened", func(ctx context.Context) (err error) {
		s, err = l.shelf.load(ctx, id)
		return err
	}, func() { l.open(l.page, "open "+s.Name, s) })
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

// rename saves an entry under its new name and removes the old one. A name that
// another entry has is refused.
func (l *Library) rename(id, name string) {
	l.renaming = ""
	name = strings.TrimSpace(name)
	for _, e := range l.saved {
		switch {
		case e.ID == id && e.Name == name || name == "":
			return
		case e.ID != id && e.Name == name:
			shell.Announce(l.page, "There is a scenario called "+name+" already.")
			return
		}
	}
	l.act("The scenario could not be renamed", func(ctx context.Context) error {
		s := l.shelf.get(ctx)
		e, err := s.Load(ctx, id)
		if err != nil {
			return err
		}
		if e.Scenario, err = rename(e.Scenario, name); err != nil {
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
		if e, err = l.shelf.get(ctx).Load(ctx, id); err != nil {
			return err
		}
		return l.shelf.get(ctx).Delete(ctx, id)
	}, func() {
		l.deleted = append(l.deleted, removal{e, saved})
		shell.Announce(l.page, "Deleted. Undo brings it back.")
		l.refresh()
	})
}

// undelete brings back what was deleted last.
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
	l.act("The library could not be exported", func(ctx context.Context) (err error) {
		data, err = l.shelf.get(ctx).Export(ctx)
		return err
	}, func() { ui.Download("berth-library.json", "application/json", data) })
}

// importFiles takes in libraries; a file that is a scenario is opened instead.
func (l *Library) importFiles(_ app.Context, files []ui.File) {
	for _, f := range files {
		f.Read(l.page, func(_ app.Context, data []byte, problem string) {
			if problem != "" {
				shell.SetError(l.page, Path, problem)
				return
			}
			l.importData(f.Name, data)
		})
	}
}

func (l *Library) importData(name string, data []byte) {
	if text, err := scenario.Unpack(data, store.MaxArchive); err == nil {
		data = text
	}
	if s, err := scenario.Decode(data); err == nil {
		l.open(l.page, "open "+name, s)
		return
	}
	var added store.Imported
	l.act(name+" could not be imported", func(ctx context.Context) (err error) {
		added, err = l.shelf.get(ctx).Import(ctx, data)
		return err
	}, func() {
		shell.Announce(l.page, importText(added))
		l.refresh()
	})
}
