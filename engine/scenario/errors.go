package scenario

import "berth/engine/scenario/body"

// InputError says everything that is wrong with a document or its inputs.
type InputError = body.InputError

// problems collects what is wrong, by JSON path.
type problems struct{ body.Problems }
