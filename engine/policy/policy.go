package policy

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// The limits of a text.
const (
	MaxText = 32 << 10 // bytes
	MaxName = 40       // characters
)

// inNames lists the characters allowed in names. The first character must be a letter or a digit.
const inNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

// Text is a policy in a document.
type Text struct {
	Name string `json:"name"` // name in results
	Text string `json:"text"` // Starlark source

	// Careful marks a text that the user has neither written nor requested, so it gets little time
	// and memory. Documents do not contain it.
	Careful bool `json:"-"`
}

// Check validates the name and the length of a text. It does not compile the text.
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

// File returns the file name used in error messages.
func (t *Text) File() string { return strings.TrimSuffix(t.Name, ".star") + ".star" }

// ErrNoLanguage is the error of programs that cannot run policies written as text.
var ErrNoLanguage = errors.New("this program cannot run policies that are written as text; the command line can")

// Language converts texts to plug-ins of type P. Before Register is called, every text is an error.
type Language[P any] struct {
	mutex sync.Mutex // experiments run concurrently
	read  func(Text) (P, error)
	known map[Text]P // cache of the plug-ins of recent texts
}

// kept limits the number of cached plug-ins.
const kept = 64

// Register sets the function that converts texts.
func (l *Language[P]) Register(read func(Text) (P, error)) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.read, l.known = read, map[Text]P{}
}

// Plugin converts a text to a plug-in. An error in the text is a [*diag.Diagnostic] with a
// position. Without a registered language the error is [ErrNoLanguage].
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
