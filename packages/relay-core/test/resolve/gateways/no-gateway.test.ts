/** Reports to a virtual mesh about a member without a gateway: the search criteria, near matches, and the fix. */

import type { MeshFacts } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { type GatewayRule, noGateway, type SimilarName } from '../../../src/resolve/gateways/no-gateway.ts';
import type { KnownDestination } from '../../../src/resolve/inventory/known-destination.ts';

const MESH = { name: 'istiod', namespace: 'istio-system', cluster: 'c1', type: 'istio' } as MeshFacts;
const LABELS = { istio: 'ingressgateway', tier: 'edge' };
const PLUGIN: GatewayRule = { by: 'plugin', labels: LABELS, portName: 'tls' };
const SETTINGS: GatewayRule = { by: 'settings', labels: { role: 'border' }, portName: 'mtls' };
const SELECTORS: GatewayRule = { by: 'selectors', portNames: ['tls', 'mtls-passthrough', 'tls'] };

function near(count: number): SimilarName[] {
  return Array.from({ length: count }, (_, index) => {
    const ports =
      index === 0
        ? [
            { name: 'https', number: 443 },
            { name: '', number: 15443 },
          ]
        : [];
    return {
      portName: 'tls',
      destination: { namespace: 'edge', name: `gw-${index}`, ports } as unknown as KnownDestination,
    };
  });
}

const FIELD = 'spec.federation.eastWestIngressGatewaySelectors';

for (const [what, rule, some, says] of [
  [
    'selectors that nothing fits',
    SELECTORS,
    0,
    `no Service of that cluster matches ${FIELD} and has a port named tls or mtls-passthrough; set portName to the port of the gateway Service that accepts mutual TLS, or select another Service`,
  ],
  [
    'a selector that fits a Service without the port',
    SELECTORS,
    1,
    'Service edge/gw-0 is selected and has no port named tls (it has https, 15443); set portName of the selector to the port that accepts mutual TLS',
  ],
  [
    'what the plugin takes for one',
    PLUGIN,
    0,
    `no Service of that cluster has the labels istio=ingressgateway, tier=edge and a port named tls; install such a gateway or set ${FIELD}`,
  ],
  [
    'Services that match the plugin rule except for the port',
    PLUGIN,
    5,
    `Service edge/gw-0 has the labels istio=ingressgateway, tier=edge and has no port named tls (it has https, 15443); Service edge/gw-1 has the labels istio=ingressgateway, tier=edge and has no port named tls (it has none); Service edge/gw-2 has the labels istio=ingressgateway, tier=edge and has no port named tls (it has none), and 2 more; give that name to the port that accepts mutual TLS, or set ${FIELD} with its portName`,
  ],
  [
    'what the Settings ask for',
    SETTINGS,
    0,
    `no Service of that cluster selects pods with the label role=border and has a port named mtls, as spec.discovery.istio.ingressGatewayDetectors of the Settings requires; correct that field, or set ${FIELD}`,
  ],
  [
    'Services that match the Settings except for the port',
    SETTINGS,
    1,
    `Service edge/gw-0 selects pods with the label role=border and has no port named tls (it has https, 15443); give that name to the port that accepts mutual TLS, or set ${FIELD} with its portName`,
  ],
  ['nothing at all', { by: 'nothing' }, 0, `no detector selects a Service; set ${FIELD}`],
] as const) {
  test(`a mesh without a gateway, by ${what}`, () => {
    assert.equal(noGateway(MESH, rule, near(some)), {
      code: 'NO_GATEWAY',
      severity: 'error',
      field: FIELD,
      message: `mesh istiod of cluster c1 has no ingress gateway for other clusters: ${says}`,
    });
  });
}

test.run();
