package scenario

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"berth/engine/show"
)

// A link to a lecture is "l.", the deflated steps in base64url and the checksum of the text
// before it, separated by full stops. The first step has the link of its scenario; each
// other step has the difference of its document from the document before it.
const lectureLead = "l."

// Limits of a lecture, so that a hostile link cannot grow without end. All documents
// together have at most [MaxLinkBytes].
const (
	MaxLecture  = 50  // steps
	MaxSentence = 300 // characters of a sentence
	maxPlace    = 500 // bytes of a place
)

// LectureStep is a step of a lecture: a scenario, a place in its result, and a sentence.
type LectureStep struct {
	Link  string // of the scenario, as [ShortLink] packs it
	Place string // place in the result, as the query of an address; "" for the default
	Says  string // the lecturer's sentence about it
}

type packedStep struct {
	Link        string // of the first step
	Change      []byte // from the document of the step before; nil for none
	Place, Says string
}

// IsLecture reports whether a link is a lecture.
func IsLecture(fragment string) bool { return strings.HasPrefix(linkText(fragment), lectureLead) }

// Questions that pack the steps of a lecture into a link, and that unpack them. See
// [EncodeLecture] and [DecodeLecture].
var (
	PackLecture = NewTool("scenario/pack-lecture", func(_ context.Context, steps []LectureStep, _ Files) (string, error) {
		return EncodeLecture(steps)
	})
	OpenLecture = NewTool("scenario/open-lecture", func(_ context.Context, link string, _ Files) ([]LectureStep, error) {
		return DecodeLecture(link)
	})
)

// EncodeLecture packs a lecture into the fragment of a link. It refuses steps beyond the
// limits, and steps of several kinds.
func EncodeLecture(steps []LectureStep) (string, error) {
	packed := make([]packedStep, len(steps))
	last := Published{}
	for i, s := range steps {
		decoded, err := DecodeLink(s.Link)
		if err != nil {
			return "", fmt.Errorf("step %d: %w", i+1, err)
		}
		document := Encode(decoded)
		packed[i] = packedStep{Place: s.Place, Says: s.Says}
		if i == 0 {
			packed[i].Link = s.Link
		} else if !bytes.Equal(document, last.Text) {
			packed[i].Change = last.difference(document)
		}
		last.Text = document
	}
	if _, err := unpackSteps(packed); err != nil {
		return "", err
	}
	text, err := json.Marshal(packed)
	if err != nil {
		return "", err
	}
	return sealed(lectureLead + deflated(text)), nil
}

// DecodeLecture unpacks a link to a lecture. The steps may come from a stranger: their
// scenarios are valid and of one kind, and their texts are within the limits.
func DecodeLecture(fragment string) ([]LectureStep, error) {
	packed, err := packedLecture(linkText(fragment))
	if err != nil {
		return nil, err
	}
	return unpackSteps(packed)
}

func packedLecture(text string) (packed []packedStep, err error) {
	link, err := unsealed(text, 3)
	if err != nil {
		return nil, err
	}
	deflated, err := unpackedCode(strings.TrimPrefix(link, lectureLead))
	if err != nil {
		return nil, err
	}
	steps, err := inflate(flate.NewReader(bytes.NewReader(deflated)))
	if err == nil && json.Unmarshal(steps, &packed) != nil {
		err = errChanged
	}
	return packed, err
}

func unpackSteps(packed []packedStep) ([]LectureStep, error) {
	if n := len(packed); n == 0 || n > MaxLecture {
		return nil, fmt.Errorf("a lecture has from 1 to %d steps, not %d", MaxLecture, n)
	}
	steps := make([]LectureStep, len(packed))
	last, size, kind := Published{}, 0, ""
	for i, p := range packed {
		s, err := p.unpack(&last, i == 0)
		if err == nil {
			if size += len(last.Text); size > MaxLinkBytes {
				err = fmt.Errorf("the scenarios of the lecture have more than %d bytes together", MaxLinkBytes)
			} else if i > 0 && s.Kind != kind {
				err = fmt.Errorf("it is of kind %s and the first step of kind %s: a lecture stays in one laboratory", show.Quote(s.Kind), show.Quote(kind))
			}
		}
		steps[i] = LectureStep{Place: p.Place, Says: p.Says}
		if kind = s.Kind; err == nil {
			steps[i].Link, err = ShortLink(s)
		}
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return steps, nil
}

// unpack returns the scenario of a step. last is the document of the previous step, which unpack
// replaces by this step's.
func (p *packedStep) unpack(last *Published, first bool) (s Scenario, err error) {
	switch {
	case !utf8.ValidString(p.Says), utf8.RuneCountInString(p.Says) > MaxSentence, len(p.Place) > maxPlace:
		return s, fmt.Errorf("its sentence has more than %d characters, or its place more than %d", MaxSentence, maxPlace)
	case IsLecture(p.Link), first == (p.Link == ""):
		return s, errChanged
	case first:
		s, err = DecodeLink(p.Link)
		last.Text = Encode(s)
		return s, err
	case p.Change != nil:
		if last.Text, err = last.changed(bytes.NewReader(p.Change)); err != nil {
			return s, err
		}
	}
	return Decode(last.Text)
}
