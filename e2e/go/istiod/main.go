// What istiod says of objects and of clusters, without one that runs. Reads a question of JSON a line, and answers each with one line of JSON.
//
//	istiod validate   an object of Istio: "" where its webhook would take it, else why not
//	istiod proxies    a cluster: what its proxies are told, and what istiod finds wrong
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

// Standard output is for answers.
func keepQuiet() {
	options := log.DefaultOptions()
	options.SetDefaultOutputLevel(log.OverrideScopeName, log.NoneLevel)
	if err := log.Configure(options); err != nil {
		panic(err)
	}
}
