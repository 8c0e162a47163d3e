//go:build !js

package handler_test

import (
	"context"
	"fmt"

	"berth/engine/placement/placementkind"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

func Example() {
	p := bridge.NewPool(2, bridge.Local(func() bridge.Server { return handler.New(nil) }))
	r, err := p.Run(context.Background(), bridge.Input{Scenario: of("heuristic")}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range placementkind.ReportOf(r.Report).Strategies[0].Deployments[0].Placement {
		fmt.Println(a.Job, "on", a.Cluster)
	}
	// Output:
	// api on us
	// db on eu
}
