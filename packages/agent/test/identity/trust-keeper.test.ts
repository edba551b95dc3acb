/** The roots that an agent trusts follow the server's, and its certificate follows the CA (T16). */

import { Secrets } from '@meshrelay/kube';
import { createRoot, readTrustBundle, trustDomain, writeCertificates } from '@meshrelay/pki';
import { ROOT_SECRET } from '@meshrelay/relay-core';
import type { TrustResponse } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import { TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, ManualClock, test } from '@meshrelay/testing';
import { TrustBundleSync } from '../../src/identity/trust-keeper.ts';

const root = async (): Promise<string> =>
  writeCertificates([
    (await createRoot({ commonName: 'r', trustDomain: trustDomain('relay.test'), days: 9, now: new Date() }))
      .certificate,
  ]);

test('an agent reports its roots, adopts what the server sends, reports that, and renews on request', async () => {
  await using cluster = await TestCluster.start({ kinds: [] });
  const [old, next] = [await root(), await root()];
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': old, note: 'the user’s own' });
  const clock = new ManualClock();
  const said: string[] = [];
  let answer: Partial<TrustResponse> | undefined;
  let renewals = 0;
  await using keeper = new TrustBundleSync({
    secrets: new Secrets(cluster.connection, 'meshrelay'),
    ask: ({ bundle }) => {
      if (answer === undefined) return undefined;
      said.push(bundle);
      const rootsPem = bundle === readTrustBundle(old).hash ? (answer.rootsPem ?? '') : '';
      return Promise.resolve({ renew: false, seconds: 300, ...answer, rootsPem });
    },
    renew: async () => {
      renewals += 1;
    },
    clock,
    random: () => 0,
    logger: silentLogger,
  });
  await clock.pass(2_000);
  assert.equal(said, [], 'no server to ask');
  answer = {};
  keeper.reconcile();
  await eventually('it says what it has', () => said.length > 0);
  answer = { rootsPem: `${old}${next}` };
  await eventually('it has both', async () => {
    await clock.pass(300_000);
    return said.at(-1) === readTrustBundle(old + next).hash;
  });
  const held = cluster.secret(ROOT_SECRET) ?? {};
  assert.is(atob(held['ca.crt'] ?? ''), `${old}${next}`);
  assert.ok(held['note'], 'nothing else is changed');
  assert.is(renewals, 0);
  answer = { renew: true, seconds: 5 };
  await eventually('it renews', async () => {
    await clock.pass(300_000);
    return renewals > 0;
  });
  answer = { rootsPem: 'garbage' };
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': old });
  const before = said.length;
  await eventually('it asks on', async () => {
    await clock.pass(300_000);
    return said.length > before + 2;
  });
  assert.is(
    atob(cluster.secret(ROOT_SECRET)?.['ca.crt'] ?? ''),
    old,
    'a certificate that is not a root is not trusted',
  );
});

test.run();
