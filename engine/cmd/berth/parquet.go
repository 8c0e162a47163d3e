package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	process "os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"berth/engine/fault"
	"berth/engine/input/csv"
	"berth/engine/input/packed"
)

const (
	// asParquet is an environment variable that makes the program only convert a Parquet file. A
	// separate process does this because the third-party module may panic, or allocate as much
	// memory as a file claims to need.
	asParquet     = "BERTH_READS_PARQUET"
	maxParquet    = 256 << 20 // maximum size of a file, which is held in memory
	parquetMemory = 2 << 30   // memory for reading a file, enforced by the system
)

func init() {
	if os.Getenv(asParquet) == "" {
		packed.Add(packed.Parquet, unpackParquet)
		return
	}
	limitMemory(parquetMemory)
	file, _ := io.ReadAll(os.Stdin)
	if err := fault.Guard(func() error { return writeTable(bufio.NewWriter(os.Stdout), file) }); err != nil {
		fmt.Fprint(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func unpackParquet(r io.Reader) (io.Reader, error) {
	file, err := io.ReadAll(io.LimitReader(r, maxParquet+1))
	switch {
	case err != nil:
		return nil, err
	case len(file) > maxParquet:
		return nil, fmt.Errorf("the Parquet file has more than %d MiB: export the rows that you need", maxParquet>>20)
	case bytes.HasSuffix(file, []byte("PARE")):
		return nil, errors.New("the Parquet file is encrypted: write it without")
	}
	self, _ := os.Executable()
	table, rows := io.Pipe()
	var said strings.Builder
	p := process.Command(self)
	p.Env, p.Stdin, p.Stdout, p.Stderr = append(os.Environ(), asParquet+"=1"), bytes.NewReader(file), rows, &said
	go func() {
		err := p.Run()
		if err != nil {
			why, _, _ := strings.Cut(said.String(), "\n")
			err = fmt.Errorf("the Parquet file is damaged, or Berth cannot read it in %d GiB of memory (%s): write it again, with smaller pages", parquetMemory>>30, cmp.Or(why, err.Error()))
		}
		rows.CloseWithError(err)
	}()
	return table, nil
}

// writeTable writes the table of a file as CSV with a header. The header of a nested column ends in
// [], and its cells are empty. Times are in the format of RFC 3339.
func writeTable(out *bufio.Writer, file []byte) error {
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	var names []string
	columns, before := map[int]parquetColumn{}, 0
	for i, c := range f.Root().Columns() {
		if c.Leaf() && !c.Repeated() {
			names = append(names, csv.Cell(c.Name()))
			means := cmp.Or(c.Type().LogicalType(), &format.LogicalType{}).Value
			columns[c.Index()], before = parquetColumn{strings.Repeat(",", i-before), means}, i
		} else {
			names = append(names, csv.Cell(c.Name()+"[]")) // the suffix keeps readers from matching the column
		}
	}
	out.WriteString(strings.Join(names, ",") + "\n")
	rows, some := parquet.MultiRowGroup(f.RowGroups()...).Rows(), make([]parquet.Row, 64)
	for n := 0; err == nil; {
		n, err = rows.ReadRows(some)
		for _, row := range some[:n] {
			row.Range(func(i int, values []parquet.Value) bool {
				if c, ok := columns[i]; ok {
					out.WriteString(c.commas + c.cell(values[0]))
				}
				return true
			})
			out.WriteString(strings.Repeat(",", len(names)-1-before) + "\n")
		}
	}
	if err != io.EOF {
		return err
	}
	return out.Flush()
}

// parquetColumn is a column that is not nested.
type parquetColumn struct {
	commas string // commas before its cells, for the nested columns that precede it
	means  format.LogicalTypeValue
}

func (c parquetColumn) cell(v parquet.Value) string {
	kind, n, unsigned := v.Kind(), v.Int64(), v.Uint64()
	switch {
	case v.IsNull():
		return ""
	case kind == parquet.ByteArray:
		return csv.Cell(v.String())
	case kind == parquet.FixedLenByteArray:
		return hex.EncodeToString(v.ByteArray())
	case kind == parquet.Int96: // a Julian day and nanoseconds
		at := v.Int96()
		return time.Unix((int64(at[2])-2440588)*86400, int64(at[1])<<32|int64(at[0])).UTC().Format(time.RFC3339Nano)
	case kind == parquet.Int32:
		n, unsigned = int64(v.Int32()), uint64(v.Uint32())
	}
	switch t := c.means.(type) {
	case *format.DateType:
		return time.Unix(n*86400, 0).UTC().Format(time.DateOnly)
	case *format.TimestampType:
		tick := int64(t.Unit.Value.Duration())
		return time.Unix(n/(1e9/tick), n%(1e9/tick)*tick).UTC().Format(time.RFC3339Nano)
	case *format.DecimalType:
		return new(big.Rat).SetFrac64(n, int64(math.Pow10(int(t.Scale)))).FloatString(int(t.Scale))
	case *format.IntType:
		if !t.IsSigned {
			return strconv.FormatUint(unsigned, 10)
		}
	}
	return noNumber.Replace(v.String())
}

var noNumber = strings.NewReplacer("NaN", "", "+Inf", "", "-Inf", "")
