//go:build !js

package store

import (
	"context"
	"fmt"
)

// Open returns ErrUnavailable: only a browser has an IndexedDB.
func Open(_ context.Context, name string) (*Store, error) {
	return nil, fmt.Errorf("%w: %s needs an IndexedDB", ErrUnavailable, name)
}
