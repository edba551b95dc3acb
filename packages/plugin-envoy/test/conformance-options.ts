/** What the author of this plugin states for the conformance kit. */
import type { ConformanceOptions } from '@meshrelay/plugin-kit';

const VALUE = 'XdsConfig.spec.resources.value';
const ROUTES = `${VALUE}.routes`;
const FILTER = `${VALUE}.filter_chains.filters.typed_config.http_filters.typed_config`;
const POLICY = 'policies.000 AccessPolicy meshrelay/probe-access';
const CALLER = `principals.authenticated.principal_name.exact = spiffe://cluster.local/ns/shop/sa/buyer`;
const NO_ADDRESS = 'outbound listeners find the host by the name in requests, so it needs no address';

export const CONFORMANCE: Pick<ConformanceOptions, 'badSettings' | 'expected' | 'excused'> = {
  badSettings: [
    { settings: { namespace: 'Not A Name' }, path: 'namespace' },
    { settings: { agent: '' }, path: 'agent' },
    { settings: { trustDomain: 7 }, path: 'trustDomain' },
  ],
  expected: {
    'route.timeout': [`${ROUTES}.route.timeout = 3s`],
    'route.headers': [
      `${ROUTES}.request_headers_to_add.header.key = x-shelf`,
      `${ROUTES}.request_headers_to_add.header.value = new`,
      // The default: the value is added to others.
      `not ${ROUTES}.request_headers_to_add.append_action`,
    ],
    'route.retries.statusCodes': [
      `${ROUTES}.route.retry_policy.retry_on = gateway-error,retriable-status-codes`,
      `${ROUTES}.route.retry_policy.retriable_status_codes = 429`,
    ],
    'connection.pool.tcpKeepalive': [`${VALUE}.upstream_connection_options.tcp_keepalive.keepalive_time = 77`],
    'access.allow': [`${FILTER}.rules.${POLICY}.${CALLER}`, `not ${FILTER}.rules.action`],
    'access.deny': [`${FILTER}.rules.${POLICY}.${CALLER}`, `${FILTER}.rules.action = DENY`],
    'access.audit': [`${FILTER}.shadow_rules.${POLICY}.${CALLER}`, `not ${FILTER}.rules`],
    'access.sources.trustDomains': [
      `${FILTER}.rules.${POLICY}.principals.authenticated.principal_name.prefix = spiffe://cluster.local/`,
    ],
    'wasm.failOpen': [`${VALUE}.typed_config.config.failure_policy = FAIL_OPEN`],
  },
  excused: {
    'translateDestination exported.address': NO_ADDRESS,
    'translateEndpoints address': NO_ADDRESS,
    'translateVirtualDestination address': NO_ADDRESS,
    'translateVirtualDestination gatewayRoute.address': NO_ADDRESS,
    'translateVirtualDestination identities': 'each backend has the identities of its own pods',
    'translateLocalEndpoints endpoints.*.ports': 'callers call the port of the proxies, which is the same for all pods',
  },
};
