package gallery

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"berth/engine/scenario"
)

// Published is a file published by the authors. Berth does not distribute it; users
// can supply it for an entry.
type Published struct {
	ID         string  `json:"id"`
	Repository string  `json:"repository"` // owner and name on GitHub
	Commit     string  `json:"commit"`
	Path       string  `json:"path"` // "" for a file that was computed from others in the repository
	Bytes      *int64  `json:"bytes"`
	SHA256     *string `json:"sha256"` // hash of the unpacked bytes; null if the file was not available
	For        string  `json:"for"`
	Licence    string  `json:"licence"` // licence as stated, or "none stated"
}

//go:embed sources.json
var manifest []byte

// Manifest returns all published files.
var Manifest = sync.OnceValue(func() (all []Published) {
	if err := json.Unmarshal(manifest, &all); err != nil {
		panic(err) // cannot happen: a test reads the manifest
	}
	return all
})

// URL returns the address of the file, or "" if the file was computed.
func (s *Published) URL() string {
	if s.Path == "" {
		return ""
	}
	return fmt.Sprintf("https://raw.githubusercontent.com/%s/%s/%s", s.Repository, s.Commit, s.Path)
}

// AuthorFiles are the available files of the manifest, by id.
type AuthorFiles map[string]scenario.Source

// Has reports whether a file of the manifest has the given size in bytes.
func (AuthorFiles) Has(size int64) bool {
	return slices.ContainsFunc(Manifest(), func(s Published) bool { return s.Bytes != nil && *s.Bytes == size })
}

// Take adds a file, which it recognises by the hash of its unpacked bytes, and reports whether the
// manifest has it.
func (f AuthorFiles) Take(unpacked []byte) bool {
	if !f.Has(int64(len(unpacked))) {
		return false
	}
	sum := sha256.Sum256(unpacked)
	digest := hex.EncodeToString(sum[:])
	all := Manifest()
	i := slices.IndexFunc(all, func(s Published) bool { return s.SHA256 != nil && *s.SHA256 == digest })
	if i >= 0 {
		f[all[i].ID] = scenario.Source{Name: all[i].ID, Text: string(unpacked)}
	}
	return i >= 0
}
