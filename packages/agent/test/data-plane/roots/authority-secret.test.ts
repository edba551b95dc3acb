/** The CA of the agents' certificates over the years: its successor is published long before it signs. */
import { readTrustBundle } from '@meshrelay/pki';
import { assert, test } from '@meshrelay/testing';
import { newAuthority, renewedAuthority } from '../../../src/data-plane/roots/authority-secret.ts';

const YEAR = 365 * 86_400_000;
const BEGIN = Date.UTC(2030, 0, 1);
const at = (years: number) => ({
  trustDomain: 'relay.test',
  cluster: 'cluster-1',
  now: new Date(BEGIN + years * YEAR),
});
const roots = (data: Readonly<Record<string, string>>): number => readTrustBundle(data['ca.crt'] ?? '').roots.length;

test('it changes twice in its lifetime: its successor is published, then signs', async () => {
  const first = await newAuthority(at(0));
  assert.is(await renewedAuthority(first, at(7.9)), undefined);
  const published = await renewedAuthority(first, at(8.1));
  assert.ok(published);
  assert.is(published['tls.crt'], first['tls.crt'], 'the first still signs');
  assert.is(roots(published), 2);
  assert.is(await renewedAuthority(published, at(8.9)), undefined);
  const switched = await renewedAuthority(published, at(9.1));
  assert.ok(switched);
  assert.is(switched['tls.crt'], published['next.crt']);
  assert.is(switched['tls.key'], published['next.key']);
  assert.is(roots(switched), 2, 'what the first signed is still taken');
  assert.is(switched['next.crt'], undefined);
  const again = await renewedAuthority(switched, at(16.5));
  assert.ok(again);
  assert.is(roots(again), 2, 'the first has ended and is gone');
});

test('an empty Secret is filled', async () => {
  const made = await renewedAuthority({}, at(0));
  assert.is(roots(made ?? {}), 1);
});

test.run();
