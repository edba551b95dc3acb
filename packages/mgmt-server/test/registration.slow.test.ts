/**
 * Registration over the real relay: who gets a certificate, who does not, and that both sides report the reason without
 * any token.
 */
import type { KeyObject } from 'node:crypto';
import {
  CERTIFICATES_SECRET,
  createRoot,
  generateKey,
  spiffeId,
  TOKENS_KEY,
  TOKENS_SECRET,
  trustDomain,
  writeCertificates,
} from '@meshrelay/pki';
import { RelayError } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import type { ManagementServer } from '../src/mod.ts';
import { istioCluster, kubernetesCluster } from './support/discovered.ts';
import { api, items, ManagementCluster } from './support/management.ts';
import { type AgentIdentity, type Dial, register, ScriptedAgent } from './support/scripted-agent.ts';

async function started(...clusters: readonly string[]) {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(clusters));
  const server = cleanup.use(await management.startServer());
  return { management, server, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

async function rejection(dial: Dial, token: string): Promise<RelayError> {
  try {
    await register(dial, token);
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
  throw new Error('it was registered');
}

/** Reasons of rejected calls in the server's log. */
const reasons = (management: ManagementCluster): string[] =>
  management.logged('relay call refused').map(({ reason }) => String(reason));

test('a token gets one certificate for its cluster', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const token = management.giveToken('c1');
  const identity = await register(management.dial(server, 'c1'), token);
  assert.match(identity.certificate, 'BEGIN CERTIFICATE');
  const [record] = JSON.parse(management.secret(TOKENS_SECRET)[TOKENS_KEY] ?? '[]') as Array<Record<string, string>>;
  assert.ok(record?.['usedAt']);
  assert.is(management.logged('agent registered').length, 1);

  const again = await rejection(management.dial(server, 'c1'), token);
  assert.is(again.code, 'RELAY_E_UNAUTHENTICATED');
  assert.match(again.message, 'the token was used before');
  assert.match(reasons(management).join(), 'the token was used before');
});

test('T3: of a hundred registrations with one token, at three replicas, one is admitted and ninety-nine are audited', async () => {
  await using cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1']));
  const servers: ManagementServer[] = [];
  for (const replica of ['server-0', 'server-1', 'server-2'])
    servers.push(cleanup.use(await management.startServer({ replica })));
  const token = management.giveToken('c1');
  // Generating a hundred keys takes a minute; requests for the same key differ by their names.
  const keys = await Promise.all(Array.from({ length: 10 }, () => generateKey('agent')));
  const tries = Array.from({ length: 100 }, (_, index) => {
    const server = servers[index % servers.length] as ManagementServer;
    const uri = spiffeId(`spiffe://relay.meshrelay.local/cluster/wish-${index}/agent`);
    return register(management.dial(server, 'c1'), token, { key: keys[index % keys.length] as KeyObject, uri });
  });
  const results = await Promise.allSettled(tries);
  assert.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    assert.ok(['RELAY_E_UNAUTHENTICATED', 'RELAY_E_ALREADY_REGISTERED'].includes((result.reason as RelayError).code));
  }
  const audited = management.logged('audit').filter(({ action }) => action === 'register');
  assert.is(audited.filter(({ outcome }) => outcome === 'done').length, 1);
  assert.is(audited.filter(({ outcome }) => outcome === 'refused').length, 99);
  assert.ok(audited.every(({ requestId, cluster, peer }) => requestId && cluster === 'c1' && peer));
  assert.is(new Set(audited.map(({ requestId }) => requestId)).size, 100);
  const { issued } = JSON.parse(management.secret(CERTIFICATES_SECRET)['c1'] ?? '{}') as { issued: unknown[] };
  assert.is(issued.length, 1);
});

test('T3: a registered cluster is replaced only if an operator requests it, and then the old certificate is revoked', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const first = await management.enrol(server, 'c1');
  const dial = management.dial(server, 'c1');
  const error = await rejection(dial, management.giveToken('c1'));
  assert.is(error.code, 'RELAY_E_ALREADY_REGISTERED');
  assert.match(error.message, 'meshctl cluster register c1 --replace');
  using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.connect(first);
  await eventually('it is connected', () => management.logged('relay stream opened').length === 2);
  const second = await register(dial, management.giveToken('c1', 60_000, { replace: true }));
  assert.match((await agent.ended('push'))?.message ?? '', 'was revoked');
  using newer = new ScriptedAgent().push(...istioCluster('c1', 1));
  newer.connect({ ...dial, identity: second });
  await eventually('the new one is in', async () => (await items(server, 'clusters'))[0]?.['complete'] === true);
});

test('T2: a token used at one replica is used at every other, at once; a revoked one within five seconds', async () => {
  await using cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1', 'c2']));
  const one = cleanup.use(await management.startServer());
  const other = cleanup.use(await management.startServer({ replica: 'server-1' }));
  const token = management.giveToken('c1');
  await register(management.dial(one, 'c1'), token);
  assert.match((await rejection(management.dial(other, 'c1'), token)).message, /used before|is registered/);
  assert.match((await rejection(management.dial(other, 'c2'), token)).message, 'created for another cluster');
  const revoked = management.giveToken('c2');
  const book = JSON.parse(management.secret(TOKENS_SECRET)[TOKENS_KEY] ?? '[]') as object[];
  management.setSecret(TOKENS_SECRET, {
    [TOKENS_KEY]: JSON.stringify(book.map((record) => ({ ...record, revokedAt: new Date().toISOString() }))),
  });
  for (const server of [one, other])
    assert.match((await rejection(management.dial(server, 'c2'), revoked)).message, 'was revoked');
});

test('every other token is rejected, with the reason on both sides and the token on neither', async () => {
  await using running = await started('c1', 'c2');
  const { management, server } = running;
  const expired = management.giveToken('c1', 1_000);
  const ofAnother = management.giveToken('c2');
  const unknown = `mrt_${'x'.repeat(43)}`;
  const revoked = management.giveToken('c1');
  const dial = management.dial(server, 'c1');
  const cases: ReadonlyArray<readonly [Dial, string, string]> = [
    [dial, ofAnother, 'the token was created for another cluster'],
    [dial, unknown, 'the token is not known'],
    [dial, 'canary-no-token', 'the credential is not a token'],
    [management.dial(server, 'C9/../c1'), ofAnother, 'has no valid cluster name'],
  ];
  for (const [to, token, reason] of cases) {
    const error = await rejection(to, token);
    assert.is(error.code, 'RELAY_E_UNAUTHENTICATED');
    assert.match(error.message, reason);
    assert.not.match(error.message, token);
    assert.match(reasons(management).at(-1) ?? '', reason);
  }
  const undeclared = await rejection(management.dial(server, 'c9'), management.giveToken('c9'));
  assert.is(undeclared.code, 'RELAY_E_CLUSTER_NOT_DECLARED');
  assert.match(undeclared.message, 'no KubernetesCluster declares it');
  management.setNow(() => new Date(Date.now() + 2_000));
  assert.match((await rejection(dial, expired)).message, 'the token has expired');
  const book = JSON.parse(management.secret(TOKENS_SECRET)[TOKENS_KEY] ?? '[]') as object[];
  management.setSecret(TOKENS_SECRET, {
    [TOKENS_KEY]: JSON.stringify(book.map((record) => ({ ...record, revokedAt: new Date().toISOString() }))),
  });
  assert.match((await rejection(dial, revoked)).message, 'the token was revoked');

  for (const secret of [expired, ofAnother, unknown, revoked, 'canary-no-token'])
    assert.not(
      management.log.some((line) => line.includes(secret)),
      'a token stands in the log',
    );
  const text = await (await fetch(`http://127.0.0.1:${server.healthPort}/metrics`)).text();
  assert.match(text, 'meshrelay_registrations_total{result="refused"} 7');
  assert.match(text, 'meshrelay_relay_calls_rejected_total{method="Register",code="RELAY_E_UNAUTHENTICATED"} 6');
  assert.match(text, 'meshrelay_relay_calls_rejected_total{method="Register",code="RELAY_E_CLUSTER_NOT_DECLARED"} 1');
});

test('without a token of its own a client cannot learn whether a cluster is declared', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const made = [`mrt_${'x'.repeat(43)}`, 'no-token', '', management.giveToken('c2')];
  for (const token of made) {
    const [declared, undeclared] = await Promise.all(
      ['c1', 'c9'].map(async (cluster) => {
        const { code, message } = await rejection(management.dial(server, cluster), token);
        return [code, message.replaceAll(cluster, 'NAME')];
      }),
    );
    assert.equal(undeclared, declared);
  }
});

test('a cluster is registered as soon as it is declared', async () => {
  await using running = await started();
  const { management, server } = running;
  const token = management.giveToken('c1');
  assert.match((await rejection(management.dial(server, 'c1'), token)).message, 'no KubernetesCluster declares it');
  management.create(kubernetesCluster('c1'));
  await eventually('it is known', async () => (await items(server, 'clusters')).length === 1);
  await register(management.dial(server, 'c1'), token);
});

test('an agent that trusts another root sends this server nothing', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const token = management.giveToken('c1');
  const { certificate } = await createRoot({
    commonName: 'other',
    trustDomain: trustDomain('other.example'),
    days: 1,
    now: new Date(),
  });
  const dial = { ...management.dial(server, 'c1'), roots: writeCertificates([certificate]) };
  assert.is((await rejection(dial, token)).code, 'RELAY_E_UNAVAILABLE');
  await register(management.dial(server, 'c1'), token);
});

test('a certificate authenticates its cluster only, and only while that is registered', async () => {
  await using running = await started('c1', 'c2');
  const { management, server } = running;
  const { identity } = await management.enrol(server, 'c1');
  assert.ok(identity);
  using agent = new ScriptedAgent().push(...istioCluster('c2', 2));
  agent.connect(management.dial(server, 'c2', identity));
  assert.is((await agent.ended('push'))?.code, 'RELAY_E_IDENTITY_MISMATCH');
  agent.connect(management.dial(server, 'c2'));
  assert.is((await agent.ended('pull'))?.code, 'RELAY_E_UNAUTHENTICATED');
  assert.is((await items(server, 'meshes')).length, 0);
  const text = await (await fetch(`http://127.0.0.1:${server.healthPort}/metrics`)).text();
  assert.match(text, 'meshrelay_relay_calls_rejected_total{method="Push",code="RELAY_E_IDENTITY_MISMATCH"} 1');
  assert.match(text, /meshrelay_relay_calls_rejected_total\{method="Pull",code="RELAY_E_UNAUTHENTICATED"\} \d/);
});

test('a corrupt token Secret is logged; callers only learn that an error occurred', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const token = management.giveToken('c1');
  management.setSecret(TOKENS_SECRET, { [TOKENS_KEY]: '{"not": "a list"}' });
  const error = await rejection(management.dial(server, 'c1'), token);
  assert.is(error.code, 'RELAY_E_INTERNAL');
  const [line] = management.logged('relay call failed');
  assert.match(JSON.stringify(line), 'Secret relay-tokens: records.json is not a list of token records');
});

test('T14: no log line, API answer or metric contains a secret', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const token = management.giveToken('c1');
  const identity: AgentIdentity = await register(management.dial(server, 'c1'), token);
  using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.connect(management.dial(server, 'c1', identity));
  await eventually('it is complete', async () => (await items(server, 'clusters'))[0]?.['complete'] === true);
  const keys = ['relay-root-tls-secret', 'relay-tls-signing-secret', 'relay-server-tls-secret'].map(
    (name) => management.secret(name)['tls.key'] ?? '',
  );
  const canaries = [token, management.sim.token, ...[...keys, identity.key].map((pem) => pem.split('\n')[3] ?? '')];
  const shown = [
    ...management.log,
    await (await fetch(`http://127.0.0.1:${server.healthPort}/metrics`)).text(),
    ...(await Promise.all(
      ['clusters', 'meshes', 'outputs'].map(async (name) => JSON.stringify(await api(server, `/${name}`))),
    )),
  ];
  for (const canary of canaries) {
    assert.ok(canary.length > 20);
    assert.not(
      shown.some((text) => text.includes(canary)),
      'a secret is shown',
    );
  }
});

test.run();
