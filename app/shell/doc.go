// Package shell is the frame around every view: the header with its
// navigation, the theme, the command palette, the shortcuts, messages, and the
// status line.
//
// A view is any go-app component. It is registered before the page
// starts,
//
//	shell.Register(shell.View{Path: "/about", Name: "How it works", New: func() app.Composer { return about.New() }})
//	shell.Routes()
//	app.RunWhenOnBrowser()
//
// and is made when it is first visited; from then on it is kept, hidden while
// another view is shown, so that nothing in it is lost by looking elsewhere.
//
// A view speaks to the frame through functions that take its own context and
// its path; they may be called from OnMount on:
//
//	shell.SetCommands(ctx, path, []shell.Command{{ID: shell.CommandRun, Name: "Run", Keys: []string{"r", "Ctrl+Enter"}, Do: v.run}})
//	shell.SetStatus(ctx, path, shell.Status{State: shell.Done, Message: "placed 20 of 20"})
//	shell.SetError(ctx, path, "the deployment could not be read: …")
//	shell.Announce(ctx, "Copied.")
//
// A command runs with the context it was set with, so the view that set it is
// rendered afterwards. The frame's Share button runs the command CommandShare
// of the view that is shown.
package shell
