/** Violations for which Envoy would reject a whole response are found before sending. */
import { assert, test } from '@meshrelay/testing';
import {
  cluster,
  type DescMessage,
  endpoint,
  httpConnectionManager,
  listener,
  messageFromJson,
  route,
} from '../../src/mod.ts';
import { violations } from '../../src/xds/mod.ts';

function finds(title: string, schema: DescMessage, value: object, ...expected: string[]): void {
  test(title, () => assert.equal(violations(schema, messageFromJson(schema, value as never)), expected));
}

const c = cluster.ClusterSchema;
const at = (port: number): object => ({ socket_address: { address: '127.0.0.1', port_value: port } });
const assignment = (address: object): object => ({
  cluster_name: 'a',
  endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }],
});

finds('nothing in a good cluster', c, { name: 'a', type: 'STATIC', load_assignment: assignment(at(80)) });
finds(
  'a port beyond the last',
  endpoint.ClusterLoadAssignmentSchema,
  assignment(at(99_999)),
  'endpoints[0].lb_endpoints[0].endpoint.address.socket_address.port_value must be at most 65535, is 99999',
);
finds('a missing name', c, {}, 'name must have at least 1 characters');
finds('no time to connect', c, { name: 'a', connect_timeout: '0s' }, 'connect_timeout must be greater than 0s, is 0s');
finds(
  'numbers in messages of their own',
  c,
  { name: 'a', outlier_detection: { max_ejection_percent: 101 } },
  'outlier_detection.max_ejection_percent must be at most 100, is 101',
);
finds('an enum without that number', c, { name: 'a', lb_policy: 99 }, 'lb_policy must not be 99, which has no name');
finds(
  'none of several that one is needed of',
  route.RouteConfigurationSchema,
  { name: 'r', virtual_hosts: [{ name: 'v', domains: ['*'], routes: [{ match: {}, route: { cluster: 'a' } }] }] },
  'virtual_hosts[0].routes[0].match must have one of prefix, path, safe_regex, connect_matcher, path_separated_prefix, path_match_policy',
);
finds(
  'too few',
  route.RouteConfigurationSchema,
  { name: 'r', virtual_hosts: [{ name: 'v' }] },
  'virtual_hosts[0].domains must have at least 1 entries, has 0',
);
finds(
  'what is in an extension',
  listener.ListenerSchema,
  {
    address: at(1),
    filter_chains: [
      {
        filters: [
          {
            name: 'h',
            typed_config: {
              '@type': `type.googleapis.com/${httpConnectionManager.HttpConnectionManagerSchema.typeName}`,
              rds: {},
            },
          },
        ],
      },
    ],
  },
  'filter_chains[0].filters[0].typed_config.stat_prefix must have at least 1 characters',
  'filter_chains[0].filters[0].typed_config.rds.config_source is required',
);
finds(
  'line breaks in a header',
  route.RouteConfigurationSchema,
  { name: 'r', request_headers_to_add: [{ header: { key: 'a\nb', value: 'x' } }] },
  'request_headers_to_add[0].header.key has characters that a header must not have',
);

test.run();
