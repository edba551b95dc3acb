module meshrelay.dev/e2e/coredns

go 1.25.0
