package scenario

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"berth/engine/show"
)

const (
	// LinkVersion is the version of links. A link is "2.", the deflated document in
	// base64url, "." and the checksum of the text before it. Links of version 1 have no
	// checksum. A version 1 link never looks like a version 2 link, because base64url has
	// no full stop.
	LinkVersion = 2
	// LongLink is a length at which chat programs may break a link. A file is better then.
	LongLink = 8000
	// MaxLinkBytes limits the size of the document in a link, so that a hostile link
	// cannot inflate without end.
	MaxLinkBytes = 8 << 20
)

// EncodeLink packs a scenario into the fragment of a link. It refuses invalid scenarios
// and scenarios that are too large.
func EncodeLink(s Scenario) (string, error) {
	if err := s.Validate(); err != nil {
		return "", err
	}
	texts := 0
	for _, slot := range s.Slots() {
		texts += len(slot.Source.Text)
		if slot.Source.Beside() {
			return "", fmt.Errorf("the file %s is next to the scenario, and a link cannot include it: save the scenario as a file instead", show.Text(slot.Source.Name))
		}
	}
	tooLarge := func(bytes int) (string, error) {
		return "", fmt.Errorf("the scenario has %d bytes, too many for a link (at most %d); save it as a file instead", bytes, MaxLinkBytes)
	}
	if texts > MaxLinkBytes { // encoding megabytes takes seconds
		return tooLarge(texts)
	}
	document, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("encode the link: %w", err)
	}
	if len(document) > MaxLinkBytes {
		return tooLarge(len(document))
	}
	return sealed(strconv.Itoa(LinkVersion) + "." + deflated(document)), nil
}

// deflated returns a deflated text in base64url.
func deflated(text []byte) string {
	var packed bytes.Buffer // writing to it cannot fail
	w, _ := flate.NewWriter(&packed, flate.BestCompression)
	w.Write(text)
	w.Close()
	return base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// sealed appends a full stop and the checksum to a link.
func sealed(link string) string { return link + "." + checksum(link) }

// unsealed checks and removes the last field of a link, the checksum. fields is the expected number
// of fields.
func unsealed(text string, fields int) (string, error) {
	at := strings.LastIndexByte(text, '.')
	switch {
	case strings.Contains(text, "%"):
		return "", errForeign
	case strings.Count(text, ".") < fields-1, len(text)-at-1 < len(checksum("")):
		return "", errCutOff
	case text != sealed(text[:at]):
		return "", errChanged
	}
	return text[:at], nil
}

// checksum returns the CRC-32 of a link's text in base64url. It detects every change
// within four bytes.
func checksum(link string) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(link)))
	return base64.RawURLEncoding.EncodeToString(sum)
}

// DecodeLink unpacks a link of any version, one that refers to an example, or the first step
// of a lecture. It accepts the bare text, a fragment ("#s=2.…") or a whole address.
func DecodeLink(fragment string) (Scenario, error) {
	document, err := linkedDocument(linkText(fragment))
	if err != nil {
		return Scenario{}, err
	}
	s, err := Decode(document)
	if err != nil {
		return Scenario{}, fmt.Errorf("the scenario in the link: %w", err)
	}
	return s, nil
}

func linkedDocument(text string) ([]byte, error) {
	if IsLecture(text) { // its first step
		steps, err := DecodeLecture(text)
		if err != nil {
			return nil, err
		}
		text = steps[0].Link
	}
	if strings.HasPrefix(text, exampleLead) {
		return fromExample(text)
	}
	code, err := linkCode(text)
	if err != nil {
		return nil, err
	}
	packed, err := unpackedCode(code)
	if err != nil {
		return nil, err
	}
	return inflate(flate.NewReader(bytes.NewReader(packed)))
}

// unpackedCode returns the bytes that a link has in base64url.
func unpackedCode(code string) ([]byte, error) {
	// Deflate packs at most 1000 times smaller, and base64 makes incompressible documents
	// a third longer.
	if len(code) > 2*MaxLinkBytes {
		return nil, fmt.Errorf("the link has %d characters, at most %d are read", len(code), 2*MaxLinkBytes)
	}
	packed, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(code, "="))
	if err != nil {
		return nil, errForeign
	}
	return packed, nil
}

func inflate(r io.Reader) ([]byte, error) {
	document, err := io.ReadAll(io.LimitReader(r, MaxLinkBytes+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errCutOff
	case err != nil:
		return nil, errors.New("the link is damaged: its content cannot be unpacked; copy it again as a whole")
	case len(document) > MaxLinkBytes:
		return nil, fmt.Errorf("the link unpacks to more than %d bytes, the most that is opened", MaxLinkBytes)
	}
	return document, nil
}

var (
	errForeign = errors.New("the link is damaged: it has characters that a link cannot have; copy it again as a whole")
	errCutOff  = errors.New("the link is cut off: its end is missing; copy it again as a whole")
	errChanged = errors.New("the link is damaged: a part of it has changed on its way; copy it again as a whole")
)

// linkText returns the text of a link without the address before it.
func linkText(fragment string) string {
	text := strings.TrimSpace(fragment)
	if i := strings.LastIndexByte(text, '#'); i >= 0 {
		text = text[i+1:]
	}
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "s="), "&") // a position in the result may follow
	return text
}

// linkCode returns the packed scenario in a link, after checking version and checksum.
func linkCode(text string) (string, error) {
	if text == "" {
		return "", errors.New("the link is empty: no scenario follows its #")
	}
	prefix, code, ok := strings.Cut(text, ".")
	version, err := strconv.Atoi(prefix)
	switch {
	case strings.Contains(text, "%"):
		return "", errForeign
	case !ok || err != nil || version < 1:
		return "", fmt.Errorf("not a Berth link: a link begins with %q", strconv.Itoa(LinkVersion)+".")
	case version > LinkVersion:
		return "", fmt.Errorf("the link is of version %d, newer than this Berth, which reads up to version %d; update it or reload the page", version, LinkVersion)
	case code == "":
		return "", errors.New("the link is cut off: nothing follows its version")
	case version == 1:
		return code, nil
	}
	link, err := unsealed(text, 3)
	return strings.TrimPrefix(link, prefix+"."), err
}
