package script

import (
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The names of the guards are no identifiers, so no text can redefine them.
const (
	addGuard    = "+"
	timesGuard  = "*"
	formatGuard = "%"
	uniteGuard  = "|"
	shiftGuard  = "<<"
	sizeGuard   = "[]"  // charges for all that an operation may look at in a value, and returns it
	copyGuard   = "[:]" // charges for as many values as it has, and returns it
	methodGuard = "."   // calls a method, charging for its receiver and arguments
	tupleGuard  = "()"  // bounds how deep tuples nest, whose hashes go all the way down
)

var guarded = map[syntax.Token]string{
	syntax.PLUS: addGuard, syntax.STAR: timesGuard, syntax.PERCENT: formatGuard, syntax.PIPE: uniteGuard, syntax.LTLT: shiftGuard,
}

// comparing operations go down into lists and tuples.
var comparing = []syntax.Token{syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE}

var augmented = map[syntax.Token]syntax.Token{
	syntax.STAR_EQ: syntax.STAR, syntax.PERCENT_EQ: syntax.PERCENT, syntax.PIPE_EQ: syntax.PIPE, syntax.LTLT_EQ: syntax.LTLT,
}

// cheap methods take a time that does not depend on sizes.
var cheap = []string{"append", "get", "setdefault"}

// charged methods take a time in the order of the receiver and the arguments.
var charged = []string{
	"clear", "count", "endswith", "extend", "find", "index", "insert", "items", "keys", "lower", "pop", "popitem", "remove", "split",
	"startswith", "strip", "update", "upper", "values",
}

// withheld methods of the language's own values do not exist here: what they make is not
// in proportion to what they are given, or nobody needs them.
var withheld = func() (names []string) {
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.Bytes(""), &starlark.List{}, &starlark.Dict{}, &starlark.Set{}} {
		for _, name := range v.AttrNames() {
			if !slices.Contains(cheap, name) && !slices.Contains(charged, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}()

// guard rewrites a text in place, so that each operation is charged for what it does.
type guard struct {
	err *syntax.Error // the first thing that is not allowed
}

func (g *guard) refuse(at syntax.Position, message string) {
	if g.err == nil {
		g.err = &syntax.Error{Pos: at, Msg: message}
	}
}

func (g *guard) statements(all []syntax.Stmt) {
	for _, s := range all {
		g.statement(s)
	}
}

func (g *guard) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		g.assign(s)
	case *syntax.DefStmt:
		g.parameters(s.Params)
		g.statements(s.Body)
	case *syntax.ExprStmt:
		g.expression(&s.X)
	case *syntax.ForStmt:
		g.expression(&s.X)
		g.target(s.Vars)
		g.statements(s.Body)
	case *syntax.IfStmt:
		g.expression(&s.Cond)
		g.statements(s.True)
		g.statements(s.False)
	case *syntax.LoadStmt:
		g.refuse(s.Load, "load() is not available: a policy is one text")
	case *syntax.ReturnStmt:
		if s.Result != nil {
			g.expression(&s.Result)
		}
	case *syntax.WhileStmt:
		g.refuse(s.While, "while is not available: use for … in range(…)")
	}
}

// assign charges x += y for y, and makes x *= y the same as x = x * y.
func (g *guard) assign(s *syntax.AssignStmt) {
	g.target(s.LHS)
	g.expression(&s.RHS)
	if s.Op == syntax.PLUS_EQ {
		if !isNumber(s.RHS) {
			s.RHS = call(copyGuard, s.OpPos, s.RHS)
		}
		return
	}
	op, ok := augmented[s.Op]
	if !ok {
		return
	}
	name, ok := s.LHS.(*syntax.Ident)
	if !ok {
		g.refuse(s.OpPos, s.Op.String()+" is available for variables alone: write x["+"…] = x[…] "+op.String()+" …")
		return
	}
	read := *name
	s.Op, s.RHS = syntax.EQ, call(guarded[op], s.OpPos, &read, s.RHS)
}

// target is what an assignment or a loop gives values to.
func (g *guard) target(e syntax.Expr) {
	switch x := e.(type) {
	case *syntax.IndexExpr:
		g.expression(&x.X)
		g.expression(&x.Y)
	case *syntax.ListExpr:
		g.targets(x.List)
	case *syntax.ParenExpr:
		g.target(x.X)
	case *syntax.TupleExpr:
		g.targets(x.List)
	}
}

func (g *guard) targets(all []syntax.Expr) {
	for _, x := range all {
		g.target(x)
	}
}

// parameters are names, and some have defaults.
func (g *guard) parameters(all []syntax.Expr) {
	for _, p := range all {
		switch p := p.(type) {
		case *syntax.BinaryExpr:
			g.expression(&p.Y)
		case *syntax.UnaryExpr:
			g.refuse(p.OpPos, "parameters with * are not available: name each of them")
		}
	}
}

func (g *guard) expressions(all []syntax.Expr) {
	for i := range all {
		g.expression(&all[i])
	}
}

func (g *guard) expression(e *syntax.Expr) {
	switch x := (*e).(type) {
	case *syntax.BinaryExpr:
		g.binary(e, x)
	case *syntax.CallExpr:
		g.call(e, x)
	case *syntax.Comprehension:
		for _, c := range x.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				g.expression(&c.X)
				g.target(c.Vars)
			case *syntax.IfClause:
				g.expression(&c.Cond)
			}
		}
		if entry, ok := x.Body.(*syntax.DictEntry); ok {
			g.expression(&entry.Key)
			g.expression(&entry.Value)
			return
		}
		g.expression(&x.Body)
	case *syntax.CondExpr:
		g.expression(&x.Cond)
		g.expression(&x.True)
		g.expression(&x.False)
	case *syntax.DictExpr:
		for _, entry := range x.List {
			if entry, ok := entry.(*syntax.DictEntry); ok {
				g.expression(&entry.Key)
				g.expression(&entry.Value)
			}
		}
	case *syntax.DotExpr:
		if slices.Contains(charged, x.Name.Name) || slices.Contains(cheap, x.Name.Name) {
			g.refuse(x.Name.NamePos, x.Name.Name+" is a method: call it, as in x."+x.Name.Name+"()")
		}
		g.selector(x)
	case *syntax.IndexExpr:
		g.expression(&x.X)
		g.expression(&x.Y)
	case *syntax.LambdaExpr:
		g.parameters(x.Params)
		g.expression(&x.Body)
	case *syntax.ListExpr:
		g.expressions(x.List)
	case *syntax.ParenExpr:
		g.expression(&x.X)
	case *syntax.SliceExpr:
		g.expression(&x.X)
		for _, part := range []*syntax.Expr{&x.Lo, &x.Hi, &x.Step} {
			if *part != nil {
				g.expression(part)
			}
		}
		x.X = call(copyGuard, x.Lbrack, x.X)
	case *syntax.TupleExpr:
		g.expressions(x.List)
		if slices.ContainsFunc(x.List, func(e syntax.Expr) bool { return !isScalar(e) }) {
			*e = call(tupleGuard, syntax.Start(x), x)
		}
	case *syntax.UnaryExpr:
		if x.X != nil {
			g.expression(&x.X)
			if x.Op == syntax.STAR || x.Op == syntax.STARSTAR {
				x.X = call(sizeGuard, x.OpPos, x.X)
			}
		}
	}
}

func (g *guard) binary(e *syntax.Expr, x *syntax.BinaryExpr) {
	if x.Op == syntax.EQ { // name=value, an argument
		g.expression(&x.Y)
		return
	}
	g.expression(&x.X)
	g.expression(&x.Y)
	switch name, ok := guarded[x.Op]; {
	case x.Op == syntax.IN || x.Op == syntax.NOT_IN:
		x.Y = call(sizeGuard, x.OpPos, x.Y)
	case slices.Contains(comparing, x.Op):
		if !isScalar(x.X) && !isScalar(x.Y) {
			*e = call(x.Op.String(), x.OpPos, x.X, x.Y)
		}
	case x.Op == syntax.PLUS && (isNumber(x.X) || isNumber(x.Y)): // of numbers, or an error
	case ok:
		*e = call(name, x.OpPos, x.X, x.Y)
	}
}

// call charges for methods of the language's own values. Those that policies are given
// have none of these names.
func (g *guard) call(e *syntax.Expr, x *syntax.CallExpr) {
	g.expressions(x.Args)
	dot, ok := x.Fn.(*syntax.DotExpr)
	if !ok {
		g.expression(&x.Fn)
		return
	}
	g.selector(dot)
	if slices.Contains(charged, dot.Name.Name) {
		name := &syntax.Literal{Token: syntax.STRING, TokenPos: dot.Name.NamePos, Value: dot.Name.Name}
		*e = call(methodGuard, dot.Name.NamePos, append([]syntax.Expr{dot.X, name}, x.Args...)...)
	}
}

func (g *guard) selector(x *syntax.DotExpr) {
	g.expression(&x.X)
	if slices.Contains(withheld, x.Name.Name) {
		g.refuse(x.Name.NamePos, "the method "+x.Name.Name+" is not available")
	}
}

// isScalar says whether an expression is a number or a text as it is written.
func isScalar(e syntax.Expr) bool {
	if isNumber(e) {
		return true
	}
	switch x := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return x.Name == "None" || x.Name == "True" || x.Name == "False"
	}
	return false
}

// isNumber says whether an expression is a number as it is written.
func isNumber(e syntax.Expr) bool {
	switch x := e.(type) {
	case *syntax.Literal:
		return x.Token == syntax.INT || x.Token == syntax.FLOAT
	case *syntax.ParenExpr:
		return isNumber(x.X)
	case *syntax.UnaryExpr:
		return x.Op == syntax.MINUS
	case *syntax.BinaryExpr:
		return x.Op == syntax.MINUS || x.Op == syntax.SLASH || x.Op == syntax.SLASHSLASH
	}
	return false
}

func call(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}
