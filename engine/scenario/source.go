package scenario

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/packed"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// Source is an input: a text, the recipe of a generator, or a file next to the document (see
// [Env.Open]). For a file the document has the name and, once it has been read, the digest.
type Source struct {
	Name   string           `json:"name"`
	Text   string           `json:"text,omitempty"`
	Recipe *workload.Recipe `json:"recipe,omitempty"`
	SHA256 string           `json:"sha256,omitempty"` // SHA-256 of a file's text, in hexadecimal
}

// Slot is a source of a document. [Env.Beside] finds its file by the name.
type Slot struct {
	Name   string
	Source *Source
	// Whole means that the document must contain the text when it runs. Other sources are
	// streamed from their file; see [Env.Beside].
	Whole bool
}

// Beside reports whether the source is a file next to the document.
func (s *Source) Beside() bool { return s.Text == "" && s.Recipe == nil }

// Digest replaces the text by its SHA-256.
func (s *Source) Digest() {
	if s.Text != "" {
		s.SHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte(s.Text)))
		s.Text = ""
	}
}

// DigestOf returns the SHA-256 of the text of a file, which may be packed and has size bytes; 0 if
// its size is unknown.
func DigestOf(file io.Reader, size int64) (string, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, packed.NewText(file, size))
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

// digest replaces the text by its SHA-256; a whole text becomes its SHA-256 in
// hexadecimal.
func (s Slot) digest() {
	s.Source.Digest()
	if s.Whole {
		s.Source.Text = s.Source.SHA256
	}
}

// Identify records the SHA-256 of a file, and returns a warning if the document was made with
// another content. sum is "" if the file was not read to its end.
func (s *Source) Identify(sum string) (warning string) {
	if !s.Beside() || sum == "" {
		return ""
	}
	if s.SHA256 != "" && s.SHA256 != sum {
		warning = show.Text(s.Name) + " has changed since the scenario was made"
	}
	s.SHA256 = sum
	return warning
}

// ErrNoText means that neither the document nor [Env.Beside] has a text.
var ErrNoText error = noFile.New()

// Open opens the text of a source from its beginning.
func (e *Env) Open(slot string, s *Source) (*packed.Text, error) {
	switch {
	case s.Text != "":
		return packed.NewText(strings.NewReader(s.Text), int64(len(s.Text))), nil
	case e.Beside == nil:
		return nil, ErrNoText
	}
	file, size, err := e.Beside(slot)
	if err != nil {
		return nil, err
	}
	return packed.NewText(file, size), nil
}

// MaxSourceName is the maximum length of the name of a source in characters. It may be
// the path of a file.
const MaxSourceName = 4096

// Source checks everything in a source except its content. generators are the generators that its
// recipe may name. The text may be missing if the source is a file.
func (p *Problems) Source(path string, s *Source, generators ...string) {
	p.Length(Field(path, "name"), s.Name, MaxSourceName)
	if s.Recipe == nil {
		if s.Text == "" && s.Name == "" {
			p.Add(path, noSource)
		}
		return
	}
	if s.Text != "" {
		p.Add(path, diag.OneOfTwo, "text", "recipe")
		return
	}
	if !slices.Contains(generators, s.Recipe.Generator) {
		p.Add(Field(path, "recipe.generator"), diag.UnexpectedText, Shorten(s.Recipe.Generator), strings.Join(generators, " or "))
	}
	p.Recipe(Field(path, "recipe"), s.Recipe)
}

// Recipe checks the name of the preset, and that all parameters are finite numbers.
func (p *Problems) Recipe(path string, r *workload.Recipe) {
	p.Length(Field(path, "preset"), r.Preset, show.Most)
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		if v := r.Parameters[name]; math.IsNaN(v) || math.IsInf(v, 0) {
			p.Add(Field(path, "parameters."+name), notFinite, v)
		}
	}
}
