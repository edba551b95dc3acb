/** What the author of this plugin states for the conformance kit. */
import type { ConformanceOptions } from '@meshrelay/plugin-kit';

export const CONFORMANCE: Pick<ConformanceOptions, 'badSettings' | 'expected' | 'excused'> = {
  badSettings: [
    { settings: { agent: 'not a name' }, path: 'agent' },
    { settings: { namespace: 7 }, path: 'namespace' },
  ],
  expected: {
    'match.uri.exact': ['VirtualService.spec.http.match.uri.exact = /books'],
    'match.uri.prefix': ['VirtualService.spec.http.match.uri.prefix = /books'],
    'match.uri.regex': ['VirtualService.spec.http.match.uri.regex = /books/[0-9]+'],
    'match.uri.suffix': ['VirtualService.spec.http.match.uri.regex = .*\\.pdf'],
    'match.headers': [
      'VirtualService.spec.http.match.headers.x-reader.exact = eager',
      'VirtualService.spec.http.match.withoutHeaders.x-writer.exact = lazy',
      'not VirtualService.spec.http.match.headers.x-writer',
    ],
    'match.queryParameters': ['VirtualService.spec.http.match.queryParams.page.exact = 1'],
    'match.method': ['VirtualService.spec.http.match.method.exact = GET'],
    'route.timeout': ['VirtualService.spec.http.timeout = 3s'],
    'route.retries': ['VirtualService.spec.http.retries.attempts = 2'],
    'route.retries.backoff': ['VirtualService.spec.http.retries.backoff = 80ms'],
    'route.fault': [
      'VirtualService.spec.http.fault.delay.fixedDelay = 2s',
      'VirtualService.spec.http.fault.delay.percentage.value = 50',
    ],
    'route.headers': ['VirtualService.spec.http.headers.request.add.x-shelf = new'],
    'route.mirror': ['VirtualService.spec.http.mirrors.percentage.value = 100'],
    'route.cors': ['VirtualService.spec.http.corsPolicy.allowOrigins.exact = https://shop.example'],
    'route.shift.subset': ['DestinationRule.spec.subsets.labels.version = v2'],
    'connection.outlierDetection': ['DestinationRule.spec.trafficPolicy.outlierDetection.consecutive5xxErrors = 3'],
    'connection.pool': ['DestinationRule.spec.trafficPolicy.connectionPool.tcp.maxConnections = 10'],
    'connection.pool.tcpKeepalive': ['DestinationRule.spec.trafficPolicy.connectionPool.tcp.tcpKeepalive.time = 77s'],
    'connection.pool.idleTimeout': ['DestinationRule.spec.trafficPolicy.connectionPool.http.idleTimeout = 77s'],
    'connection.mtls': ['DestinationRule.spec.trafficPolicy.tls.mode = DISABLE'],
    'access.allow': ['AuthorizationPolicy.spec.action = ALLOW'],
    'access.deny': ['AuthorizationPolicy.spec.action = DENY'],
    'access.audit': [
      'AuthorizationPolicy.spec.action = ALLOW',
      'AuthorizationPolicy.metadata.annotations.istio.io/dry-run = true',
    ],
    'access.paths': ['AuthorizationPolicy.spec.rules.to.operation.paths = /books*'],
    'access.exclusions': [
      'AuthorizationPolicy.spec.rules.to.operation.notMethods = DELETE',
      'AuthorizationPolicy.spec.rules.to.operation.notPaths = /books/secret',
      'AuthorizationPolicy.spec.rules.to.operation.notPorts = 8080',
    ],
    'accessLog.responseHeaders': ['ObjectPatch.spec.set.envoyHttpAls.additionalResponseHeadersToLog = server'],
    'wasm.failOpen': ['WasmPlugin.spec.failStrategy = FAIL_OPEN'],
    'wasm.inbound': ['WasmPlugin.spec.match.mode = SERVER'],
    'wasm.phase': ['WasmPlugin.spec.phase = AUTHN'],
    'virtualDestination.static': [
      'cluster-1: DestinationRule.spec.trafficPolicy.loadBalancer.localityLbSetting.failoverPriority = meshrelay.dev/failover-1',
      'cluster-1: ServiceEntry.spec.endpoints.labels.meshrelay.dev/failover-1 = after',
      'cluster-2: ServiceEntry.spec.endpoints.labels.meshrelay.dev/failover-1 = before',
    ],
    'mesh.globalAccess': ['not AuthorizationPolicy.spec.action = DENY', 'AuthorizationPolicy.spec.action = ALLOW'],
    'mesh.strictMtls': ['PeerAuthentication.spec.mtls.mode = STRICT'],
    'mesh.federation.gateway': [
      'DestinationRule.spec.trafficPolicy.tls.mode = ISTIO_MUTUAL',
      'Gateway.spec.servers.port.number = 15443',
      'Gateway.spec.servers.tls.mode = AUTO_PASSTHROUGH',
      'ServiceEntry.spec.endpoints.labels.security.istio.io/tlsMode = istio',
      'ServiceEntry.spec.location = MESH_INTERNAL',
      'ServiceEntry.spec.subjectAltNames = spiffe://cluster.local/ns/shop/sa/books',
    ],
  },
};
