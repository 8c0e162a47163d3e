package lab

import (
	"encoding/binary"
	"regexp"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
)

const (
	// freely is the memory, in bytes, that files may take without a question if the
	// browser does not report the device's memory.
	freely = 1 << 30
	// packing is the lowest usual compression ratio of YAML. It estimates the
	// unpacked size of a file that does not state it.
	packing = 20
	// mostUnpacked is the most bytes that a byte of gzip unpacks to: deflate's highest compression
	// ratio. A file that claims more is truncated.
	mostUnpacked = 1032
	// mostNamed is the largest number of files that the question lists by name. It counts the rest.
	mostNamed = 3
	// noticeMemory is the id of the notice that asks whether to read the files.
	noticeMemory = "much-memory"
)

// packedFile matches the names of files whose text is larger than the file.
var packedFile = regexp.MustCompile(`(?i)\.(gz|zst|xz|bz2|zip)$`)

// heavy returns a warning if reading files may take more memory than a tab can count on: half of
// the device's memory, in GiB, or freely if device is 0 (unknown). each is the memory in bytes per
// byte of file. It returns "" if the files are small enough.
func heavy(files []ui.File, each float64, device float64) string {
	var size float64
	var names []string
	for _, f := range files {
		whole := float64(f.Size)
		if packedFile.MatchString(f.Name) {
			if whole = min(packing*whole, scenario.MaxTexts); f.Unpacked > f.Size && f.Unpacked <= mostUnpacked*f.Size {
				whole = float64(f.Unpacked)
			}
		}
		size += whole
		names = append(names, f.Name)
	}
	if len(names) > mostNamed {
		names = []string{names[0] + " and " + show.Count(len(names)-1, "other")}
	}
	need, there := size*each, device*(1<<30)
	if device > 0 && need <= there/2 || device == 0 && need <= freely {
		return ""
	}
	says := "The browser does not say how much memory it has"
	if device > 0 {
		says = "This device has about " + ui.Bytes(int64(there)) + ", and a tab gets only part of it"
	}
	return "Reading " + strings.Join(names, ", ") + " may take " + ui.Bytes(int64(need)) + " of memory. " + says +
		". If the memory runs out, the browser closes the page and you lose what is on screen. Nothing was read yet."
}

// measure finds the unpacked size of gzip files and calls then with the files. The
// last four bytes of a gzip member hold its size (RFC 1952); a file usually has one
// member.
func (rd *fileReader[I]) measure(files []ui.File, then func([]ui.File)) {
	i := slices.IndexFunc(files, func(f ui.File) bool {
		return f.Unpacked == 0 && f.Value != nil && strings.HasSuffix(f.Name, ".gz")
	})
	if i < 0 || rd.lab.system.Files.Memory == 0 {
		then(files)
		return
	}
	files[i].ReadLast(rd.lab.Page, 4, func(_ app.Context, last []byte, _ string) {
		files[i].Unpacked = -1 // unknown; reading the file reports the error
		if len(last) == 4 {
			files[i].Unpacked = max(1, int64(binary.LittleEndian.Uint32(last)))
		}
		rd.measure(files, then)
	})
}

// askForMemory asks in a notice whether to read files that may take much memory. It
// reports whether it asked.
func (rd *fileReader[I]) askForMemory(files []ui.File, read func()) bool {
	text := heavy(files, rd.lab.system.Files.Memory, ui.DeviceMemory())
	rd.lab.notice(noticeMemory, text, shell.Command{Name: "Read it anyway", Do: func(app.Context) { read() }})
	return text != ""
}
