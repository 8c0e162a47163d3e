package shell

import "strings"

// stroke returns a key with its modifiers in the notation of commands: "Ctrl+Enter",
// "Ctrl+Shift+z", "g", "?". Cmd counts as Ctrl.
func stroke(key string, ctrl, alt, shift bool) string {
	if alt || key == "Control" || key == "Meta" || key == "Shift" || key == "Alt" {
		return ""
	}
	if len(key) == 1 {
		key = strings.ToLower(key)
	}
	switch {
	case ctrl && shift:
		return "Ctrl+Shift+" + key
	case ctrl:
		return "Ctrl+" + key
	}
	return key
}

// typing is the kind of element that has the focus.
type typing uint8

const (
	nowhere  typing = iota
	inField         // a field, which has its own undo
	inEditor        // the editor, which shares its undo history with the page
)

// works reports whether a stroke may run a command while the focus is in t. While the
// user types, keys without Ctrl are text, and a field has its own undo.
func works(stroke string, t typing) bool {
	undoes := stroke == "Ctrl+z" || stroke == "Ctrl+y" || stroke == "Ctrl+Shift+z"
	return t == nowhere || strings.HasPrefix(stroke, "Ctrl+") && !(undoes && t == inField)
}

// match returns the command for the pending strokes plus one more. If no command matches but the
// strokes begin a sequence, it returns them as rest. A stroke that does not continue the pending
// sequence starts a new one.
func match(commands []Command, pending, stroke string) (found *Command, rest string) {
	sequence := strings.TrimSpace(pending + " " + stroke)
	for i := range commands {
		for _, keys := range commands[i].Keys {
			if keys == sequence {
				return &commands[i], ""
			}
			if strings.HasPrefix(keys, sequence+" ") {
				rest = sequence
			}
		}
	}
	if rest == "" && pending != "" {
		return match(commands, "", stroke)
	}
	return nil, rest
}

// fuzzy scores how well a pattern fits a name: the letters of the pattern must occur in the name in
// order. Letters at the start of words and adjacent letters score higher. The score is negative if
// the pattern does not fit.
func fuzzy(pattern, name string) int {
	name = strings.ToLower(name)
	score, at, previous := 0, 0, -2
	for _, letter := range strings.ToLower(strings.ReplaceAll(pattern, " ", "")) {
		i := strings.IndexRune(name[at:], letter)
		if i < 0 {
			return -1
		}
		i += at
		switch {
		case i == 0 || name[i-1] == ' ':
			score += 3
		case i == previous+1:
			score += 2
		}
		score++
		previous, at = i, i+len(string(letter))
	}
	return score
}

// hasWords reports whether a name contains all words of a pattern, which must have at least one.
func hasWords(pattern, name string) bool {
	words := strings.Fields(strings.ToLower(pattern))
	name = strings.ToLower(name)
	for _, word := range words {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return len(words) > 0
}
