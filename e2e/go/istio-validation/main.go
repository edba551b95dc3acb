// Judges objects of Istio as the webhook of istiod does. Reads one object of JSON a line, and answers each with one line of JSON: "" where it would be taken, else why not.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"istio.io/istio/pilot/pkg/config/kube/crd"
	"istio.io/istio/pkg/config/schema/collections"
)

const longest = 1 << 24

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longest)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := answers.Encode(judge(lines.Text())); err != nil {
			panic(err)
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}

func judge(text string) string {
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
