package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// loading holds the scripts that were asked for, so that each is fetched once.
var loading = map[string]app.Value{}

// LoadScripts fetches scripts of the site in the order given, by the names
// they have before the build adds a hash to them, and then calls done with ""
// or with what went wrong. Scripts that are there already cost nothing: code
// that the first screen does not need is left out of it this way.
func LoadScripts(ctx app.Context, names []string, done func(ctx app.Context, problem string)) {
	if len(names) == 0 {
		ctx.Dispatch(func(ctx app.Context) { done(ctx, "") })
		return
	}
	settle(script(names[0]),
		func(app.Value) { LoadScripts(ctx, names[1:], done) },
		func(app.Value) {
			delete(loading, names[0])
			ctx.Dispatch(func(ctx app.Context) { done(ctx, "could not load "+names[0]) })
		})
}

// script returns a promise that settles when the script has run.
func script(name string) app.Value {
	if promise, ok := loading[name]; ok {
		return promise
	}
	executor := app.FuncOf(func(_ app.Value, args []app.Value) any {
		element := app.Window().Get("document").Call("createElement", "script")
		element.Set("src", AssetURL(name))
		element.Set("onload", args[0])
		element.Set("onerror", args[1])
		app.Window().Get("document").Get("head").Call("appendChild", element)
		return nil
	})
	defer executor.Release()
	promise := app.Window().Get("Promise").New(executor)
	loading[name] = promise
	return promise
}

// AssetURL is where the site serves the asset called name: the build keeps a
// map from names to hashed addresses in berth.assets.
func AssetURL(name string) string {
	if berth := app.Window().Get("berth"); berth.Truthy() {
		if url := berth.Get("assets").Get(name); url.Truthy() {
			return url.String()
		}
	}
	return "/web/" + name
}
