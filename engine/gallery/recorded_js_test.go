package gallery

import "os"

func init() {
	file, err := os.ReadFile("recorded.json")
	if err != nil {
		panic(err)
	}
	Fetched(file)
}
