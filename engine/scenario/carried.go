package scenario

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

// Pictures and pages carry their scenario as a link after a mark. The mark is near the
// beginning of the file, before any text of the user, so that a name cannot forge it.
const (
	carryMark   = "berth-scenario:"
	carryWithin = 4096 // bytes of a file in which the mark begins

	pngMagic = "\x89PNG\r\n\x1a\n"
	// PNGHeader is the size in bytes of a PNG's signature and first chunk.
	PNGHeader = len(pngMagic) + 25
)

// CarryInSVG adds the link of a scenario to the metadata of an SVG.
func CarryInSVG(svg, link string) string {
	tag, rest, ok := strings.Cut(svg, ">")
	if !ok || link == "" {
		return svg
	}
	return tag + `><metadata><scenario xmlns="urn:berth:scenario">` + carryMark + link + "</scenario></metadata>" + rest
}

// CarryInPNG returns the text chunk with a scenario. It belongs after the first [PNGHeader] bytes
// of a PNG.
func CarryInPNG(link string) []byte {
	text := "iTXtScenario\x00\x00\x00\x00\x00" + carryMark + link // neither compressed nor in a particular language
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)-len("iTXt")))
	chunk = append(chunk, text...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE([]byte(text)))
}

// CarryInHTML returns the element with a scenario for the head of a page.
func CarryInHTML(link string) string {
	if link == "" {
		return ""
	}
	return `<meta name="berth-scenario" content="` + carryMark + link + `">`
}

// Carries reports whether a file with this beginning is a picture or a page that contains a
// scenario.
func Carries(head []byte) bool { return carriedAt(head) > 0 }

// carriedAt returns the position of the link in a picture or a page; -1 for other files.
func carriedAt(file []byte) int {
	head := file[:min(len(file), carryWithin)]
	at := bytes.Index(head, []byte(carryMark))
	if at < 0 || !bytes.HasPrefix(head, []byte(pngMagic)) && !bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
		return -1
	}
	return at + len(carryMark)
}

// Carried returns the document in a picture or a page. It returns any other file unchanged.
func Carried(file []byte) ([]byte, error) {
	at := carriedAt(file)
	if at < 0 {
		return file, nil
	}
	link := file[at:min(len(file), at+2*MaxLinkBytes+carryWithin)]
	if end := bytes.IndexFunc(link, outsideLink); end >= 0 {
		link = link[:end]
	}
	document, err := linkedDocument(string(link))
	if err != nil {
		return nil, fmt.Errorf("the scenario in the file: %w", err)
	}
	return document, nil
}

// outsideLink reports whether a link cannot have this character.
func outsideLink(r rune) bool {
	return r != '-' && r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}
