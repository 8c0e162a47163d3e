package parquet

import (
	"fmt"
	"io"

	"berth/engine/scenario"
)

// maxFile bounds the bytes of a file, which is held in memory.
const maxFile = 256 << 20

func init() { scenario.AddUnpacker(scenario.Unpacker{Magic: magic, Open: unpack}) }

// unpack reads a file, and returns its table.
func unpack(r io.Reader) (io.Reader, error) {
	file, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(file) > maxFile {
		return nil, fmt.Errorf("the Parquet file has more than %d bytes (%d MiB): export the rows that you need", maxFile, maxFile>>20)
	}
	return CSV(file)
}
