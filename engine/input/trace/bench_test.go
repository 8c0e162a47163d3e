package trace_test

import (
	"io"
	"strings"
	"testing"

	"berth/engine/input/trace"
	"berth/engine/input/workload"
)

// BenchmarkRead reads files of 20,000 lines in each format.
func BenchmarkRead(b *testing.B) {
	const lines = 20_000
	requests := func(name string, r io.Reader) error {
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		source, err := trace.OpenRequests(name, func() (io.Reader, error) { return strings.NewReader(string(text)), nil })
		buffer := make([]workload.Request, 256)
		for err == nil {
			_, err = source.Read(buffer)
		}
		if err != io.EOF {
			return err
		}
		return nil
	}
	tasks := func(name string, r io.Reader) error {
		_, err := readTasks(name, r)
		return err
	}
	for _, format := range []struct {
		name, header, line string
		read               func(name string, r io.Reader) error
	}{
		{"csv", "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n", "a17,job 4,12345.5,678.25,0.0625,0.03125,silver,0,os=linux;disks>2\n", requests},
		{"erlang", "", `{12345.5,17,4,678.25,0.0625,0.03125,9,0,[{"os","=","linux"},{"disks",">","2"}]}.` + "\n", requests},
		{"broker", "", "12345.5,17,4,any,0,9,678.25,-1,0.0625,0.03125,silver,0.9\n", requests},
		{"google2011", "", "600026907000,,3418309,1,4155527081,0,70s3v5qRyCO,3,9,0.06873,0.01193,0.0001,1\n", requests},
		{"trace", "", "12345.5 4 100 50 150 75.25 124.75\n", tasks},
		{"tasktable", "arrival,job,user,duration,cpu,memory,constraints\n", "12345.5,4,me,678.25,2,4,1;5\n", tasks},
	} {
		b.Run(format.name, func(b *testing.B) {
			text := format.header + strings.Repeat(format.line, lines)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := format.read("f", strings.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
