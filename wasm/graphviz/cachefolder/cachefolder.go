// Package cachefolder gives go-graphviz a folder of the user's own for what it compiles
// when the program starts. Its own choice is go-graphviz in the temporary folder that
// all users of a machine share: there the second user's program ends in a panic, and
// any of them could leave code for the others.
//
// It works by being initialised first: of packages that are ready, Go initialises the
// one with the smallest import path, and berth is less than github.com.
package cachefolder

import (
	"os"
	"path/filepath"
	"strconv"
)

// variable is where [os.TempDir] looks; on Windows, which has a temporary folder
// for each user, it has no meaning.
const variable = "TMPDIR"

var before, given = os.LookupEnv(variable)

func init() { os.Setenv(variable, folder()) }

// folder returns a folder that only this user can write to. Without any, it is one that
// cannot be: nothing is kept then.
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

// Restore brings the temporary folder back, once go-graphviz is initialised.
func Restore() {
	if given {
		os.Setenv(variable, before)
	} else {
		os.Unsetenv(variable)
	}
}
