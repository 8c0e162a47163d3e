package packed_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"berth/engine/must"
)

// The output of the program xz for "hello\n" with each kind of checksum, in several blocks and
// streams, and with other filters and dictionaries; and for the numbers up to 200.
const (
	xzCRC64    = "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jMAQAFaGVsbG8KAAAApWCX8ZT2/eAAAR4GwS+kHR+2830BAAAAAARZWg=="
	xzSHA256   = "/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAFaGVsbG8KAAAAWJG1tSLV3whtD/CxEPvZ0hu0/HFjrzTQgoai6Eb2vgMAATYGa4H5QBibS5oBAAAAAApZWg=="
	xzStreams  = "/Td6WFoAAAD/EtlBAgAhARYAAAB0L+WjAQAFaGVsbG8KAAAAAAEWBsmlfdUGcp56AQAAAAAAWVoAAAAAAAAAAP03elhaAAABaSLeNgIAIQEMAAAAj5hBnAEAAWhlAAAAh2Yl0QIAIQEMAAAAj5hBnAEAAWxsAAAAJxuVzAIAIQEMAAAAj5hBnAEAAW8KAAAAiYxpQwADFgIWAhYCxH/lfz4wDYsCAAAAAAFZWg=="
	xzDict1GiB = "/Td6WFoAAATm1rRGAgAhASQAAABeH8f5AQAFaGVsbG8KAAAApWCX8ZT2/eAAAR4GwS+kHR+2830BAAAAAARZWg=="
	xzX86      = "/Td6WFoAAATm1rRGAgEEACEBDADWfBivAQAFaGVsbG8KAAAApWCX8ZT2/eAAAR4GwS+kHR+2830BAAAAAARZWg=="
	xzSizes    = "/Td6WFoAAATm1rRGBMAKBiEBFgAAAAAAAAAAAKowjqYBAAVoZWxsbwoAAAClYJfxlPb94AABJgY6kzsKH7bzfQEAAAAABFla"
	xzNumbers  = "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AKzANVdABiCgo8iTvimVffwmaUlDZBFkVpRtJvKrNwFMuyFUp+xSG3v3OhLuWG64JxTf5jIqVQO/D0q0wbXZkQ9VmSmzT3Xxx9E9BjfAgs/4sbGe+Hnf3lEHHm3Qq5luBu1DoThmoIGIzlaf3KqQ/qlmh+SwL5FcXlK1ZPGkAo5rZxlhyq2GjjH4ZMXytA+CeqwUvAQYCbAXl8QkQ25eXh9l0Jg0KY4d+Ej6LsoT4hSLXVYJj9m/eKc69OvYdk1ev/7YrE8fJMc8mS4TRyFKrFcAAY2AUrrpRk/YAAAAAAqY7pSQQQm/AAB8QG0BQAA9ywgtLHEZ/sCAAAAAARZWg=="
)

func decoded(t testing.TB, text string) []byte {
	t.Helper()
	file := must.Get(base64.StdEncoding.DecodeString(text))(t)
	return file
}

func numbers() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintln(&b, i+1)
	}
	return b.String()
}

func TestUnpackXz(t *testing.T) {
	changed := func(at int) []byte {
		file := decoded(t, xzCRC64)
		file[(len(file)+at)%len(file)]++
		return file
	}
	hello := decoded(t, xzCRC64)
	var large bytes.Buffer
	w := must.Get(xz.NewWriter(&large))(t)
	must.Get(w.Write(make([]byte, 20_000)))(t)
	must.Do(t, w.Close())
	const damaged = "the file is damaged or cut off and cannot be unpacked: "
	for name, test := range map[string]unpacked{
		"CRC64":                  {hello, "hello\n", ""},
		"SHA-256":                {decoded(t, xzSHA256), "hello\n", ""},
		"streams, blocks, zeros": {decoded(t, xzStreams), "hello\nhello\n", ""},
		"lengths in the header":  {decoded(t, xzSizes), "hello\n", ""},
		"compressed":             {decoded(t, xzNumbers), numbers(), ""},
		"large":                  {large.Bytes(), "", "at most 10000 bytes"},
		"a large dictionary":     {decoded(t, xzDict1GiB), "", "the file is packed with xz and a dictionary of 1024 MiB, more than 128: unpack it first"},
		"another filter":         {decoded(t, xzX86), "", "the file is packed with xz and another filter than LZMA2: unpack it first"},
		"many dictionaries":      {small(t, 10_000), "", "the file is packed with xz in many small blocks with a large dictionary each: unpack it first"},
		"a few dictionaries":     {append(small(t, 3), "\x00\x03\x0d\x00\x0d\x00\x0d\x00\xba\x70\x90\xaf"+"\xa8\x00\x0a\xfc\x02\x00\x00\x00\x00\x00YZ"...), "", ""},
		"cut off in a header":    {hello[:15], "", damaged + "unexpected EOF"},
		"cut off between":        {hello[:12], "", damaged + "unexpected EOF"},
		"cut off in a block":     {hello[:30], "", damaged + "unexpected EOF"},
		"cut off in the footer":  {hello[:len(hello)-1], "", damaged + "unexpected EOF"},
		"something behind":       {append(decoded(t, xzCRC64), "and more than that"...), "", damaged + "xz: invalid header magic bytes"},
		"another stream":         {changed(8), "", damaged + "xz: invalid checksum for file header"},
		"another header":         {changed(20), "", damaged + "xz: checksum error for block header"},
		"other bytes":            {changed(28), "", damaged + "xz: checksum error for block"},
		"another padding":        {changed(35), "", damaged + "xz: non-zero block padding"},
		"another index":          {changed(-19), "", damaged + "xz: index length is 2; want 1"},
		"another footer":         {changed(-1), "", damaged + "xz: footer magic invalid"},
	} {
		test.check(t, name)
	}
}

// small is the beginning of a file of empty blocks, each with a dictionary of 64 MiB and
// without a checksum.
func small(t testing.TB, blocks int) []byte {
	file := decoded(t, xzStreams)[:12]
	header := []byte{2, 0, 0x21, 1, 28, 0, 0, 0}
	header = binary.LittleEndian.AppendUint32(header, crc32.ChecksumIEEE(header))
	for range blocks {
		file = append(append(file, header...), 0, 0, 0, 0)
	}
	return file
}
