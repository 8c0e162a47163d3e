// Package cachefolder gives go-graphviz a folder of the current user for the code that it compiles
// when the program starts. By default go-graphviz uses a folder in the temporary folder that all
// users of a machine share: the second user's program panics there, and any user could leave code
// for the others.
//
// The package must be initialised before go-graphviz. Among the packages that are ready, Go
// initialises the one with the smallest import path first, and berth sorts before github.com.
package cachefolder

import (
	"os"
	"path/filepath"
	"strconv"
)

// variable is the environment variable that [os.TempDir] reads. Windows ignores it,
// and has a temporary folder for each user.
const variable = "TMPDIR"

var before, given = os.LookupEnv(variable)

func init() { os.Setenv(variable, folder()) }

// folder returns a folder that only this user can write to, or else a path that
// cannot exist, so that go-graphviz stores nothing.
func folder() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return os.DevNull
	}
	own := filepath.Join(cache, "berth-"+strconv.Itoa(os.Getuid())) // sudo may keep HOME
	if err := os.MkdirAll(own, 0o700); err != nil {
		return os.DevNull
	}
	probe, err := os.CreateTemp(own, "probe")
	if err != nil {
		return os.DevNull
	}
	probe.Close()
	os.Remove(probe.Name())
	return own
}

// Restore resets the temporary folder once go-graphviz is initialised.
func Restore() {
	if given {
		os.Setenv(variable, before)
	} else {
		os.Unsetenv(variable)
	}
}
