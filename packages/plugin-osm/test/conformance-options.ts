/** What the author of this plugin states for the conformance kit. */
import type { ConformanceOptions } from '@meshrelay/plugin-kit';

export const CONFORMANCE: Pick<ConformanceOptions, 'expected' | 'excused'> = {
  expected: {
    'route.shift': ['TrafficSplit.spec.backends.service = new-books', 'TrafficSplit.spec.backends.weight = 100'],
    'route.retries': ['Retry.spec.retryPolicy.numRetries = 2', 'ObjectPatch.spec.set = true'],
    'route.localRateLimit': [
      'not UpstreamTrafficSetting.spec.rateLimit.local.http.burst',
      'UpstreamTrafficSetting.spec.rateLimit.local.http.requests = 10',
      'UpstreamTrafficSetting.spec.rateLimit.local.http.unit = second',
    ],
    'connection.pool': ['UpstreamTrafficSetting.spec.connectionSettings.tcp.maxConnections = 10'],
    'access.allow': ['TrafficTarget.spec.sources.name = buyer', 'HTTPRouteGroup.spec.matches.pathRegex = .*'],
    'access.paths': ['HTTPRouteGroup.spec.matches.pathRegex = ^/books.*$'],
    'access.methods': ['HTTPRouteGroup.spec.matches.methods = GET'],
    'access.ports': ['TCPRoute.spec.matches.ports = 8080', 'TrafficTarget.spec.rules.kind = TCPRoute'],
    'mesh.globalAccess': ['ObjectPatch.spec.set = false'],
  },
  excused: {
    'translateDestination actions.localRateLimit.value.burst': 'OSM counts the burst in addition to the rate',
  },
};
