package scenario

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"berth/engine/show"
)

// A link to an example, or to a scenario that differs little from one, is "e.", the name of
// the example, its digest, the difference and the checksum of the text before it, separated
// by full stops. The difference is empty for the example itself. Otherwise it has the numbers
// of bytes that both documents begin and end with, and the deflated bytes between them
// without the four bytes that end every such stream. The dictionary is the words and the text
// of the example.
const (
	exampleLead = "e."
	// mostShortened limits the size of the documents that are compared with the examples.
	mostShortened = 64 << 10
	streamEnd     = "\x00\x00\xff\xff"
)

// Published is the text of an example that links may refer to.
type Published struct {
	Name    string
	Text    []byte // the document as [Encode] writes it
	Words   []byte // text that changes to the example are likely to add
	Earlier bool   // the example has changed since
}

// Digest identifies the text of an example in links.
func (p *Published) Digest() string { return hashOf(p.Text)[:8] }

var published = func() []Published { return nil }

// Publish sets the texts of examples that links may refer to. Package examples calls it.
func Publish(all func() []Published) { published = sync.OnceValue(all) }

// ShortLink packs a scenario into the fragment of a link: as the difference from an example if that
// is at most half as long, otherwise as [EncodeLink] does.
func ShortLink(s Scenario) (string, error) {
	whole, err := EncodeLink(s)
	if err != nil {
		return "", err
	}
	document := Encode(s)
	base, most := Published{}, 0
	for _, p := range published() {
		before, after := common(p.Text, document)
		if !p.Earlier && len(document) <= mostShortened && before+after > most {
			base, most = p, before+after
		}
	}
	if most == 0 {
		return whole, nil
	}
	link := exampleLead + base.Name + "." + base.Digest() + "."
	if !bytes.Equal(base.Text, document) {
		link += base64.RawURLEncoding.EncodeToString(base.difference(document))
	}
	if link = sealed(link); 2*len(link) > len(whole) {
		return whole, nil
	}
	return link, nil
}

// common returns the numbers of bytes that two texts have in common at their beginnings and,
// in the rest, at their ends.
func common(a, b []byte) (before, after int) {
	most := min(len(a), len(b))
	for before < most && a[before] == b[before] {
		before++
	}
	for after < most-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	return before, after
}

func (p *Published) dictionary() []byte { return slices.Concat(p.Words, p.Text) }

func (p *Published) difference(to []byte) []byte {
	before, after := common(p.Text, to)
	lengths := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(before)), uint64(after))
	packed := bytes.NewBuffer(lengths)
	w, _ := flate.NewWriterDict(packed, flate.BestCompression, p.dictionary())
	w.Write(to[before : len(to)-after])
	w.Close()
	return bytes.TrimSuffix(packed.Bytes(), []byte(streamEnd))
}

// EarlierExample returns a sentence for a link that refers to an example in an earlier
// version; "" for other links.
func EarlierExample(fragment string) string {
	base, _, err := exampleIn(linkText(fragment))
	if err != nil || !base.Earlier {
		return ""
	}
	return fmt.Sprintf("The example %s has changed since this link was made. The link opens the version of that time.", show.Quote(base.Name))
}

// exampleIn returns the example that a link refers to, and the packed difference from it.
func exampleIn(text string) (base Published, packed string, err error) {
	fields := strings.Split(strings.TrimPrefix(text, exampleLead), ".")
	if len(fields) > 4 {
		return base, "", errForeign
	}
	if _, err := unsealed(text, 5); err != nil {
		return base, "", err
	}
	i := slices.IndexFunc(published(), func(p Published) bool { return p.Name == fields[0] && p.Digest() == fields[1] })
	if i < 0 {
		return base, "", fmt.Errorf("the link refers to the example %s in a version that this Berth does not have; update it or reload the page", show.Quote(fields[0]))
	}
	return published()[i], fields[2], nil
}

// fromExample returns the document in a link that refers to an example.
func fromExample(text string) ([]byte, error) {
	base, code, err := exampleIn(text)
	if err != nil || code == "" {
		return base.Text, err
	}
	packed, err := unpackedCode(code)
	if err != nil {
		return nil, err
	}
	return base.changed(bytes.NewReader(packed))
}

// changed applies a difference, as [Published.difference] packs it, to p and returns the document.
func (p *Published) changed(r *bytes.Reader) ([]byte, error) {
	before, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, errChanged
	}
	after, err := binary.ReadUvarint(r)
	if size := uint64(len(p.Text)); err != nil || before > size || after > size-before {
		return nil, errChanged
	}
	middle, err := inflate(flate.NewReaderDict(io.MultiReader(r, strings.NewReader(streamEnd)), p.dictionary()))
	if err != nil {
		return nil, err
	}
	return slices.Concat(p.Text[:before], middle, p.Text[len(p.Text)-int(after):]), nil
}
