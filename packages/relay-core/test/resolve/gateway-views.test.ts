/** What a virtual mesh is told of a member without a gateway: what was looked for, and what to do. */
import { assert, test } from '@meshrelay/testing';
import type { MeshFacts } from '../../src/mod.ts';
import { noGateway } from '../../src/resolve/gateway-views.ts';

const MESH = { name: 'istiod', namespace: 'istio-system', cluster: 'c1' } as MeshFacts;

for (const [what, portNames, says] of [
  ['selectors that nothing fits', ['tls', 'passage', 'tls'], /and has a port named tls or passage; set portName/],
  ['no selectors', [], /no Service of that cluster has the labels and the port of a default gateway; install one/],
] as const) {
  test(`a mesh without a gateway, by ${what}`, () => {
    const { code, message } = noGateway(MESH, portNames, []);
    assert.is(code, 'NO_GATEWAY');
    assert.match(message, /^mesh istiod of cluster c1 has no gateway for requests of other clusters: /);
    assert.match(message, says);
  });
}

test.run();
