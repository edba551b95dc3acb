// Istio's control plane as it runs in a cluster: `pilot-discovery discovery`, from Istio's own module.
package main

import (
	"os"

	"istio.io/istio/pilot/cmd/pilot-discovery/app"
)

func main() {
	if err := app.NewRootCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
