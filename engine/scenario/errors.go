package scenario

import "berth/engine/scenario/body"

// InputError says everything that is wrong with a document or its inputs.
type InputError = body.InputError

// DocumentName stands for the document in diagnostics; whoever read it from a
// file puts the name of the file there.
const DocumentName = body.DocumentName

// problems collects what is wrong, by JSON path.
type problems struct{ body.Problems }
