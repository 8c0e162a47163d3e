package scenario

import "berth/engine/policy"

// Scripted is a document that may have policies written as text.
type Scripted interface {
	Texts() []*policy.Text // pointers into the document, so that changes apply to it
}

// Texts returns the policies of a scenario that are written as text.
func Texts(s *Scenario) []*policy.Text {
	if d, ok := s.Body.(Scripted); ok {
		return d.Texts()
	}
	return nil
}
