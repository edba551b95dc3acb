/** The kinds of the test mesh are kinds that the Istio plugin writes. */

import { apiVersionOf, type ResourceKind } from '@meshrelay/plugin';
import istio from '@meshrelay/plugin-istio';
import { assert, test } from '@meshrelay/testing';
import { testMesh } from '../src/mod.ts';

const names = (kinds: readonly ResourceKind[]): string[] => kinds.map((kind) => `${apiVersionOf(kind)} ${kind.plural}`);

test('its kinds are among those that the Istio plugin writes', () => {
  const written = names(istio.writes);
  for (const name of names(testMesh.writes)) assert.ok(written.includes(name), name);
});

test('it has the same name as the Istio plugin and finds the same gateways', () => {
  assert.is(testMesh.name, istio.name);
  assert.equal(testMesh.gatewayDefaults, istio.gatewayDefaults);
});

test.run();
