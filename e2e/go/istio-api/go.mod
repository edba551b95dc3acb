module meshrelay.dev/e2e/istio-api

go 1.24.0

require istio.io/api v1.31.1
