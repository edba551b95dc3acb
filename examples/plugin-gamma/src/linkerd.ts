/** Discovers Linkerd, and translates TrafficPolicies into routes of the Gateway API with a Service as parent (GAMMA). */
import { capabilities, defineMeshPlugin, type MeshPlugin } from '@meshrelay/plugin';
import { controlPlane, member } from './discover.ts';
import { HTTP_ROUTE, translateDestination } from './routes.ts';

const ONE_NAMESPACE = 'HTTPRoutes of a Service apply to all its callers in the cluster';
const ONLY_SERVICES = 'Linkerd sends to whole Services of its cluster';

export const linkerd: MeshPlugin = defineMeshPlugin({
  name: 'linkerd',
  contract: 1,
  watches: [],
  writes: [HTTP_ROUTE],
  capabilities: capabilities('this plugin translates only what HTTPRoutes of Linkerd express', {
    'match.uri.exact': 'native',
    'match.uri.prefix': 'native',
    'match.uri.regex': 'native',
    'match.uri.suffix': 'native',
    'match.uri.ignoreCase': 'native',
    'match.headers': { degraded: 'a header that requests must not have cannot be matched' },
    'match.queryParameters': 'native',
    'match.method': 'native',
    'source.labels': { unsupported: ONE_NAMESPACE },
    'source.namespaces': { unsupported: ONE_NAMESPACE },
    'source.clusters': { always: 'callers of other clusters do not reach HTTPRoutes of this one' },
    'route.shift': 'native',
    'route.shift.subset': { unsupported: `${ONLY_SERVICES}; create a Service for each subset` },
    'route.shift.cluster': { unsupported: ONLY_SERVICES },
    'route.shift.virtualDestination': { unsupported: ONLY_SERVICES },
    'route.shift.headers': { unsupported: 'Linkerd changes headers of a route, not of one of its backends' },
    'route.timeout': 'native',
    'route.retries': 'native',
    'route.retries.backoff': { unsupported: 'Linkerd chooses the pauses between tries itself' },
    'route.retries.retryOn': 'native',
    'route.retries.statusCodes': 'native',
    'route.headers': 'native',
  }),
  controlPlane,
  member,
  translateDestination,
});
