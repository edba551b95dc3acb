/** That what tests take for Istio's kinds is what the Istio plugin writes. */
import istio from '@meshrelay/plugin-istio';
import { apiVersionOf, type ResourceKind } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { testMesh } from '../src/mod.ts';

const names = (kinds: readonly ResourceKind[]): string[] => kinds.map((kind) => `${apiVersionOf(kind)} ${kind.plural}`);

test('its kinds are among those that the Istio plugin writes', () => {
  const written = names(istio.writes);
  for (const name of names(testMesh.writes)) assert.ok(written.includes(name), name);
});

test('it answers to the same name and finds gateways alike', () => {
  assert.is(testMesh.name, istio.name);
  assert.equal(testMesh.gatewayDefaults, istio.gatewayDefaults);
});

test.run();
