package shell

import "strings"

// stroke is one key with its modifiers, written as commands write it:
// "Ctrl+Enter", "Ctrl+Shift+z", "g", "?". Ctrl and Cmd are one.
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

// typing is where keys are text.
type typing uint8

const (
	nowhere  typing = iota
	inField         // which undoes by itself
	inEditor        // whose texts the page undoes
)

// works reports whether a stroke counts while the user is typing: letters are
// text then.
func works(stroke string, t typing) bool {
	undoes := stroke == "Ctrl+z" || stroke == "Ctrl+y" || stroke == "Ctrl+Shift+z"
	return t == nowhere || strings.HasPrefix(stroke, "Ctrl+") && !(undoes && t == inField)
}

// match finds the command that pending, the strokes so far, and one more
// stroke lead to. When they lead to none but begin a sequence, they become
// pending; a stroke that continues nothing begins again.
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

// fuzzy scores how well pattern fits name: its letters must stand in name in
// that order; letters that begin words or follow one another count more. The
// score is negative when it does not fit.
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

// hasWords reports whether a name has all words of a pattern, at least one.
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
