/** Endpoints of ServiceEntries. */
import type { LocalityView } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { workloadEntry } from '../../src/translate/workload-entry.ts';

const entry = (locality?: LocalityView) =>
  workloadEntry(
    { address: '10.0.0.1', kind: 'ipv4', ports: 15443, labels: { version: 'v1' }, ...(locality && { locality }) },
    { http: 15443 },
    { more: 'yes' },
  );

for (const [locality, text] of [
  [{ region: 'r' }, 'r'],
  [{ region: 'r', zone: 'z' }, 'r/z'],
  [{ region: 'r', zone: 'z', subZone: 's' }, 'r/z/s'],
  [undefined, undefined],
] as const)
  test(`an endpoint in ${text ?? 'an unknown locality'}`, () => assert.is(entry(locality)['locality'], text));

test('an endpoint has its own labels, the labels that distinguish it, and the one that makes proxies use mutual TLS', () => {
  const labels = { version: 'v1', more: 'yes', 'security.istio.io/tlsMode': 'istio' };
  assert.equal(entry(), { address: '10.0.0.1', ports: { http: 15443 }, labels });
});

test.run();
