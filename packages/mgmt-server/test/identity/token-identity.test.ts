/** Tokens instead of certificates, and the token that all clusters share: whom they admit, and how that ends. */

import { createToken, type DeclareOptions } from '@meshrelay/pki';
import { TOKEN_SECRET } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster } from '../support/discovered.ts';
import { items, ManagementCluster } from '../support/management.ts';
import { type Dial, register, ScriptedAgent } from '../support/scripted-agent.ts';

async function started(relay: object, ...clusters: readonly string[]) {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(clusters));
  const listen = { listen: '127.0.0.1:0', serverNames: ['mgmt-server.meshrelay'] };
  const server = cleanup.use(await management.startServer({ relay: { ...listen, ...relay } }));
  return { management, server, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

const LONG_LIVED: DeclareOptions = { longLived: true };

/** Result of an attempt to connect. */
async function outcome(dial: Dial): Promise<string> {
  using agent = new ScriptedAgent().push(...istioCluster(dial.cluster, 1));
  agent.connect(dial);
  const error = await agent.ended('push');
  return `${error?.code} ${error?.message}`;
}

test('in TLS-only mode a token is the identity of exactly its cluster, with every connection, until it is revoked or expires', async () => {
  await using running = await started({ mode: 'tls' }, 'c1', 'c2');
  const { management, server } = running;
  const token = management.giveToken('c1', 60_000, LONG_LIVED);
  const dial = management.dial(server, 'c1');
  using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.connect({ ...dial, token });
  await eventually('it is complete', async () => (await items(server, 'clusters'))[0]?.['complete'] === true);

  const once = management.giveToken('c1');
  const short = management.giveToken('c1', 2_000, LONG_LIVED);
  assert.match(
    await outcome({ ...dial, cluster: 'c2', token }),
    'RELAY_E_UNAUTHENTICATED the token was created for another',
  );
  assert.match(await outcome({ ...dial, token: `mrt_${'x'.repeat(43)}` }), 'the token is not known');
  assert.match(await outcome({ ...dial, token: 'canary' }), 'not a token');
  assert.match(await outcome({ ...dial, token: once }), 'is for registration and is not an identity');
  assert.match(await outcome(dial), 'RELAY_E_UNAUTHENTICATED');
  const identity = await register(dial, once);
  assert.match(
    await outcome({ ...dial, identity, token }),
    'RELAY_E_IDENTITY_MISMATCH a call must authenticate either with a client certificate or with one token',
  );
  management.setNow(() => new Date(Date.now() + 3_000));
  assert.match(await outcome({ ...dial, token: short }), 'the token has expired');
  management.setNow(() => new Date());

  using other = new ScriptedAgent(2).push(...istioCluster('c1', 1));
  const next = management.giveToken('c1', 60_000, LONG_LIVED);
  other.connect({ ...dial, token: next });
  assert.is(
    (await agent.ended('push'))?.code,
    'RELAY_E_SUPERSEDED',
    'two are good while one takes the place of the other',
  );
  const began = performance.now();
  management.revokeTokens('c1');
  assert.match((await other.ended('push'))?.message ?? '', 'the token was revoked');
  assert.ok(performance.now() - began < 5_000);
  assert.match(await outcome({ ...dial, token: next }), 'the token was revoked');
  for (const secret of [token, once, short, next]) assert.not(management.log.some((line) => line.includes(secret)));
});

test('with client certificates a token is not an identity', async () => {
  await using running = await started({}, 'c1');
  const { management, server } = running;
  const token = management.giveToken('c1', 60_000, LONG_LIVED);
  assert.match(
    await outcome({ ...management.dial(server, 'c1'), token }),
    'accepts client certificates only, and no tokens',
  );
  await register(management.dial(server, 'c1'), token).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, 'cannot request a certificate'),
  );
});

test('T2: a shared token registers declared clusters that never were registered, only if allowed', async () => {
  const shared = createToken().reveal();
  const attempt = async (
    running: Awaited<ReturnType<typeof started>>,
    cluster: string,
    text = shared,
  ): Promise<string> =>
    register(running.management.dial(running.server, cluster), text).then(
      () => 'registered',
      (error: Error) => error.message,
    );
  await using strict = await started({}, 'c1');
  strict.management.setSecret(TOKEN_SECRET, { token: shared });
  assert.match(await attempt(strict, 'c1'), 'the token is not known');

  await using open = await started({ allowSharedToken: true }, 'c1', 'c2');
  open.management.setSecret(TOKEN_SECRET, { token: shared });
  assert.match(await attempt(open, 'c9'), 'no KubernetesCluster declares it');
  assert.match(await attempt(open, 'c1', createToken().reveal()), 'the token is not known');
  assert.is(await attempt(open, 'c1'), 'registered');
  assert.match(await attempt(open, 'c1'), 'registers only clusters that were not registered before');
  open.management.revoke('c1');
  assert.match(
    await attempt(open, 'c1'),
    /registers only clusters that were not registered before/,
    'nor what was revoked',
  );
  assert.is(await attempt(open, 'c2'), 'registered');
  for (const weak of ['', 'short', ' '.repeat(40)]) {
    open.management.setSecret(TOKEN_SECRET, { token: weak });
    assert.not.match(await attempt(open, 'c2', weak), /^registered/);
  }
  assert.is(open.management.secret('relay-tokens')['sharedToken'], 'allowed');
});

test.run();
