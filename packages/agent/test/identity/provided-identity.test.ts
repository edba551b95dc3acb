/**
 * A certificate that another issuer renews, as the agent's identity: from a Secret or from files, replaced while
 * streams run.
 */

import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@meshrelay/kube';
import { createCsr, generateKey, writePrivateKey } from '@meshrelay/pki';
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, ManualClock, temporaryFolder, test } from '@meshrelay/testing';
import type { ClientCertificateConfig } from '../../src/config/client-certificate.ts';
import { ProvidedIdentity } from '../../src/identity/provided-identity.ts';
import { LogBook, readiness, startReplica } from '../harness/agents.ts';
import { CLUSTER, TestAuthority, TestRelay } from '../harness/relay.ts';

const authority = await TestAuthority.create();
const DAY = 86_400_000;

/** Files that an issuer writes. */
async function issued(): Promise<{ 'tls.key': string; 'tls.crt': string }> {
  const key = await generateKey('agent');
  const certificate = await authority.sign(await createCsr({ key }), CLUSTER);
  return { 'tls.key': writePrivateKey(key), 'tls.crt': certificate };
}

const [first, second] = await Promise.all([issued(), issued()]);

test('an agent waits for the Secret of its certificate, connects with it, and adopts a renewed one by itself', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  await using agent = await startReplica(cluster, relay, { clientCertificate: { secretName: 'agent-tls' } });
  await eventually('it says what is missing', async () =>
    (await readiness(agent)).failing['identity']?.includes('Secret meshrelay/agent-tls does not exist'),
  );
  cluster.setSecret(TOKEN_SECRET, { token: 'whatever' });
  cluster.setSecret('agent-tls', { ...first, 'ca.crt': authority.rootsPem });
  await eventually('ready', async () => (await readiness(agent)).ready, { seen: () => agent.log.lines.slice(-5) });
  const serial = (pem: string): boolean =>
    relay.open.length > 0 &&
    relay.open.every(({ credential }) => credential.kind === 'certificate' && pem.includes(bodyOf(credential.pem)));
  assert.ok(serial(first['tls.crt']));

  const streams = relay.sessions.length;
  cluster.setSecret('agent-tls', { ...second, 'ca.crt': authority.rootsPem });
  await eventually('the renewed one is presented', () => serial(second['tls.crt']));
  await eventually('ready', async () => (await readiness(agent)).ready);
  assert.is(relay.sessions.length, streams + 2, 'each stream is made once more');
  assert.equal(relay.registrations, [], 'no agent registers');
  assert.is(cluster.secret(CLIENT_SECRET), undefined);
  assert.ok(cluster.secret(TOKEN_SECRET), 'the token stays');
  assert.not(agent.log.lines.some((line) => line.includes('PRIVATE KEY')));
});

/** The base64 of a PEM, without its line breaks. */
function bodyOf(pem: string): string {
  return (pem.split('\n')[1] ?? 'none').slice(0, 60);
}

/** The identity alone; the test controls time and texts. */
async function looking(certificate: ClientCertificateConfig, cluster: TestCluster) {
  const connection = connect({ file: cluster.kubeconfig });
  const log = new LogBook();
  const time = { now: Date.now() };
  const clock = new ManualClock();
  const identity = new ProvidedIdentity({
    connection,
    namespace: 'meshrelay',
    certificate,
    clock,
    now: () => new Date(time.now),
    random: () => 0,
    logger: createLogger({ name: 'agent', level: 'debug', destination: log }),
  });
  const work = identity.start();
  return {
    identity,
    log,
    time,
    clock,
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
}

const never = new AbortController().signal;

test('files are read again when they change; a partly written one leaves the last one in use', async () => {
  await using cluster = await TestCluster.start();
  using folder = temporaryFolder();
  const [certFile, keyFile, caFile] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) => join(folder.path, name));
  assert.ok(certFile && keyFile && caFile);
  writeFileSync(caFile, authority.rootsPem);
  await using running = await looking({ certFile, keyFile, caFile }, cluster);
  const { identity, clock, log } = running;
  const waiting = identity.obtain(never);
  await eventually('it says what is missing', () => identity.problem?.includes('tls.key cannot be read: ENOENT'));
  writeFileSync(keyFile, first['tls.key']);
  writeFileSync(certFile, first['tls.crt']);
  const got = await eventually('it is found', async () => {
    await clock.pass(10_000);
    return identity.problem === undefined;
  }).then(() => waiting);
  assert.is(got.certificate, first['tls.crt']);
  assert.is(identity.expiry?.getTime(), got.notAfter.getTime());

  const { replaced } = identity;
  writeFileSync(keyFile, second['tls.key']);
  await eventually('the mixture is seen', async () => {
    await clock.pass(10_000);
    return log.has('the current client certificate cannot be used; the previous one stays in use');
  });
  assert.is((await identity.obtain(never)).key, first['tls.key']);
  assert.not(replaced.aborted);
  writeFileSync(certFile, second['tls.crt']);
  await eventually('the whole is taken', async () => {
    await clock.pass(10_000);
    return replaced.aborted;
  });
  assert.equal(await identity.obtain(never), {
    ...(await identity.obtain(never)),
    key: second['tls.key'],
    certificate: second['tls.crt'],
  });
});

test('an expired certificate is not presented, and its issuer is named; roots of a registration precede those of the issuer', async () => {
  await using cluster = await TestCluster.start();
  cluster.setSecret('agent-tls', { ...first, 'ca.crt': 'canary' });
  await using running = await looking({ secretName: 'agent-tls' }, cluster);
  const { identity, time } = running;
  void identity.obtain(never);
  await eventually('unreadable roots are reported', () => identity.problem?.includes('trust bundle'));
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  await eventually('found', () => identity.problem === undefined);
  assert.is((await identity.obtain(never)).roots, authority.rootsPem);
  time.now += 31 * DAY;
  identity.refused({ token: '', roots: '' });
  await eventually('the rejection is reported', () => identity.problem?.includes('its issuer must renew it'));
  assert.is(identity.expiry, undefined);
  cluster.setSecret('agent-tls', { 'tls.crt': Buffer.from('x').toString(), 'tls.key': '' });
  await eventually('a file without a certificate is reported', () => identity.problem?.includes('PEM'));
  assert.is(identity.renew, undefined, 'the relay does not renew it');
});

test.run();
