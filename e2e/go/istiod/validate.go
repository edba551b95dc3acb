package main

import (
	"istio.io/istio/pilot/pkg/config/kube/crd"
	"istio.io/istio/pkg/config/schema/collections"
)

// Validates an object as istiod's webhook does.
func validate(text string) string {
	objects, unknown, err := crd.ParseInputs(text)
	if err != nil {
		return err.Error()
	}
	if len(unknown) > 0 || len(objects) != 1 {
		return "no object of a kind that Istio knows"
	}
	schema, known := collections.Pilot.FindByGroupVersionKind(objects[0].GroupVersionKind)
	if !known {
		return "no kind that istiod's webhook judges"
	}
	if _, err := schema.ValidateConfig(objects[0]); err != nil {
		return err.Error()
	}
	return ""
}
