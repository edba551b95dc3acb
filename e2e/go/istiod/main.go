// Runs istiod's code on objects and clusters, without a running istiod. Reads one JSON request per line and answers each
// with one line of JSON.
//
//	istiod validate   an Istio object: "" if the webhook accepts it, else the reason
//	istiod proxies    a cluster: the configuration of its proxies, and the problems that istiod reports
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"istio.io/istio/pkg/log"
)

const longest = 1 << 26

var answerers = map[string]func(line []byte) any{
	"validate": func(line []byte) any { return validate(string(line)) },
	"proxies":  func(line []byte) any { return proxiesOf(line) },
}

func main() {
	answer, known := answerers[os.Args[len(os.Args)-1]]
	if !known {
		fmt.Fprintln(os.Stderr, "usage: istiod validate|proxies")
		os.Exit(2)
	}
	keepQuiet()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longest)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := answers.Encode(answer(lines.Bytes())); err != nil {
			panic(err)
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}

// Standard output has answers only.
func keepQuiet() {
	options := log.DefaultOptions()
	options.SetDefaultOutputLevel(log.OverrideScopeName, log.NoneLevel)
	if err := log.Configure(options); err != nil {
		panic(err)
	}
}
