package policy

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// What a text may have at most.
const (
	MaxText = 32 << 10 // bytes
	MaxName = 40       // characters
)

// inNames are the characters of names; a name begins with a letter or a digit.
const inNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

// Text is a policy as a document has it.
type Text struct {
	Name string `json:"name"` // what results call it
	Text string `json:"text"` // its source, in Starlark

	// Careful says that the user has neither written the text nor asked for it: it may take
	// little time and memory. It is no part of a document.
	Careful bool `json:"-"`
}

// Check says what is wrong with a text, apart from what the language says.
func (t *Text) Check() error {
	switch {
	case t.Name == "":
		return errors.New("the policy has no name")
	case len(t.Name) > MaxName || strings.Trim(t.Name, inNames) != "" || strings.ContainsAny(t.Name[:1], "_.-"):
		return fmt.Errorf("%.60q is no name of a policy: expected up to %d letters, digits, dots, hyphens and underscores, such as mine", t.Name, MaxName)
	case t.Text == "":
		return fmt.Errorf("the policy %s has no text", t.Name)
	case len(t.Text) > MaxText:
		return fmt.Errorf("the text of the policy %s has %d bytes; at most %d are read", t.Name, len(t.Text), MaxText)
	}
	return nil
}

// File is the name of the text in error messages.
func (t *Text) File() string { return strings.TrimSuffix(t.Name, ".star") + ".star" }

// ErrNoLanguage says that a program cannot run policies that are written as text.
var ErrNoLanguage = errors.New("this program cannot run policies that are written as text; the command line can")

// Language makes plug-ins of one laboratory of texts. The zero one makes none.
type Language[P any] struct {
	mutex sync.Mutex // rows of an experiment run side by side
	read  func(Text) (P, error)
	known map[Text]P // of the texts that were read last
}

// kept is how many plug-ins a language keeps.
const kept = 64

// Register sets how texts are read.
func (l *Language[P]) Register(read func(Text) (P, error)) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.read, l.known = read, map[Text]P{}
}

// Plugin makes a plug-in of a text. The error of a text that is wrong has its place as a
// [*diag.Diagnostic]; a program without the language has [ErrNoLanguage].
func (l *Language[P]) Plugin(t Text) (p P, err error) {
	if err := t.Check(); err != nil {
		return p, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if p, ok := l.known[t]; ok {
		return p, nil
	}
	if l.read == nil {
		return p, ErrNoLanguage
	}
	p, err = l.read(t)
	if err != nil {
		return p, err
	}
	if len(l.known) >= kept {
		clear(l.known)
	}
	l.known[t] = p
	return p, nil
}
