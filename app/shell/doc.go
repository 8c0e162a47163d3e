// Package shell is the frame around every view: the header with its navigation, the theme, the
// command palette, the shortcuts, messages, and the status line.
//
// A view is any go-app component. Register it before the page starts:
//
//	shell.Register(shell.View{Path: "/about", Name: "How it works", New: func() app.Composer { return about.New() }})
//	shell.Routes()
//	app.RunWhenOnBrowser()
//
// The frame makes a view at its first visit. Afterwards it only hides the view while another one is
// shown, so the view loses no state.
//
// A view talks to the frame through functions that take the view's context and path. It may call
// them from OnMount on:
//
//	shell.SetCommands(ctx, path, []shell.Command{{ID: shell.CommandRun, Name: "Run", Keys: []string{"r", "Ctrl+Enter"}, Do: v.run}})
//	shell.SetStatus(ctx, path, shell.Status{State: shell.Done, Message: "placed 20 of 20"})
//	shell.SetError(ctx, path, "the deployment could not be read: …")
//	shell.Announce(ctx, "Copied.")
//
// A command runs with the context of the SetCommands call, so go-app renders that view afterwards.
// The frame's Share button runs the command CommandShare of the view that is shown.
package shell
