/** Renewal over the real relay: a new certificate has the same cluster, and no other (T6, T16). */
import { createPrivateKey } from 'node:crypto';
import {
  agentIdentity,
  trustDomain as asTrustDomain,
  createCsr,
  generateKey,
  issueAgentCertificate,
  provePossession,
  readAuthority,
  readCertificates,
  readPrivateKey,
  spiffeId,
  writePrivateKey,
} from '@meshrelay/pki';
import { connectRelay, RelayError, type RenewRequest } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster } from '../support/discovered.ts';
import { ManagementCluster } from '../support/management.ts';
import { type AgentIdentity, type Dial, ScriptedAgent } from '../support/scripted-agent.ts';

const DOMAIN = asTrustDomain('relay.meshrelay.local');
const DAY = 86_400_000;
const NOTHING = new Uint8Array();

async function started(...clusters: readonly string[]) {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(clusters));
  const server = cleanup.use(await management.startServer());
  return { management, server, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

const plain = (csrPem: string): RenewRequest => ({
  csrPem,
  expiredCertificatePem: '',
  challenge: NOTHING,
  proof: NOTHING,
});

async function renew(dial: Dial, request: RenewRequest) {
  const { cluster, port, roots, identity: clientCertificate } = dial;
  using connection = connectRelay({
    address: `127.0.0.1:${port}`,
    authority: 'mgmt-server.meshrelay',
    roots,
    cluster,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  });
  return await connection.renew(request);
}

async function rejection(answer: Promise<unknown>): Promise<RelayError> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
  throw new Error('it was renewed');
}

/** The URI names of a certificate. */
function namesOf(pem: string): string[] {
  const [leaf] = readCertificates(pem, 'test', { max: 3 });
  return (leaf?.extensions.subjectAltNames ?? []).map((name) =>
    name.kind === 'uri' ? `uri:${name.value}` : name.kind,
  );
}

/** A certificate this server's CA signed some days ago. */
async function issuedBefore(management: ManagementCluster, cluster: string, days: number): Promise<AgentIdentity> {
  const { 'tls.crt': certificatePem = '', 'tls.key': keyPem = '' } = management.secret('relay-tls-signing-secret');
  const ca = readAuthority({ certificatePem, keyPem });
  const key = await generateKey('agent');
  const issued = await issueAgentCertificate({
    ca: { ...ca, certificate: { ...ca.certificate, notBefore: new Date(0) } },
    csrPem: await createCsr({ key }),
    identity: agentIdentity(DOMAIN, cluster),
    now: new Date(Date.now() - days * DAY),
  });
  if (!issued.ok) throw new Error(issued.message);
  return { key: writePrivateKey(key), certificate: issued.chainPem };
}

const C1 = ['uri:spiffe://relay.meshrelay.local/cluster/c1/agent'];

test('T6: whatever a request contains, a renewed certificate has the cluster of the proved key', async () => {
  await using running = await started('c1', 'c2');
  const { management, server } = running;
  const c1 = await management.enrol(server, 'c1');
  const c2 = await management.enrol(server, 'c2');
  const key = await generateKey('agent');

  const requests = [
    plain(await createCsr({ key })),
    plain(await createCsr({ key, uri: agentIdentity(DOMAIN, 'c2') })),
    plain(await createCsr({ key, uri: spiffeId('spiffe://relay.meshrelay.local/cluster/c1x/agent') })),
    plain(await createCsr({ key, uri: spiffeId('spiffe://other.example/cluster/c1/agent') })),
  ];
  for (const request of requests) assert.equal(namesOf((await renew(c1, request)).certificatePem), C1);

  const csrPem = await createCsr({ key });
  for (const cluster of ['c2', 'c', 'c1x', 'C1', '', 'c1,c1', 'c1.', '*'])
    assert.is((await rejection(renew({ ...c1, cluster }, plain(csrPem)))).code, 'RELAY_E_IDENTITY_MISMATCH', cluster);
  const another = c2.identity?.certificate ?? '';
  for (const mixed of [
    { ...plain(csrPem), expiredCertificatePem: another },
    { ...plain(csrPem), challenge: new Uint8Array(72) },
    { ...plain(csrPem), proof: new Uint8Array(256) },
  ])
    assert.is((await rejection(renew(c1, mixed))).code, 'RELAY_E_IDENTITY_MISMATCH');
  for (const csr of ['', 'x', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'])
    assert.is((await rejection(renew(c1, plain(csr)))).code, 'RELAY_E_UNAUTHENTICATED');
  const { identity: _, ...noCaller } = c1;
  assert.match((await rejection(renew(noCaller, plain(csrPem)))).message, 'Renew needs a client certificate');

  const audited = management.logged('audit').filter(({ action }) => action === 'renew');
  assert.is(audited.filter(({ outcome, cluster }) => outcome === 'done' && cluster === 'c1').length, requests.length);
  assert.not(audited.some(({ outcome, cluster }) => outcome === 'done' && cluster !== 'c1'));
});

test('T6: an expired certificate is renewed within thirty days by the proof of its key only', async () => {
  await using running = await started('c1', 'c2');
  const { management, server } = running;
  const { port, roots } = management.dial(server, 'c1');
  const dial: Dial = { cluster: 'c1', port, roots };
  const expired = await issuedBefore(management, 'c1', 40);
  const csrPem = await createCsr({ key: await generateKey('agent') });
  const request = { csrPem, expiredCertificatePem: expired.certificate };
  const ask = async (): Promise<Uint8Array> =>
    (await renew(dial, { ...request, challenge: NOTHING, proof: NOTHING })).challenge;
  const oldKey = readPrivateKey(expired.key);
  const prove = (challenge: Uint8Array, csr = csrPem): Promise<Uint8Array> =>
    provePossession(oldKey, { challenge, csrPem: csr });

  const challenge = await ask();
  assert.is(challenge.length, 72);
  const stranger = await provePossession(await generateKey('agent'), { challenge, csrPem });
  const older = await issuedBefore(management, 'c1', 41);
  const invented = new Uint8Array(72);
  const wrong: Readonly<Record<string, Partial<RenewRequest>>> = {
    'no proof of the key': { challenge, proof: new Uint8Array(256) },
    'another key': { challenge, proof: stranger },
    'an invented challenge': { challenge: invented, proof: await prove(invented) },
    'a proof for another request': { challenge, proof: await prove(challenge, await createCsr({ key: oldKey })) },
    'the challenge of another certificate': {
      expiredCertificatePem: older.certificate,
      challenge,
      proof: await prove(challenge),
    },
  };
  for (const [name, parts] of Object.entries(wrong)) {
    const error = await rejection(renew(dial, { ...request, challenge, proof: NOTHING, ...parts }));
    assert.is(error.code, 'RELAY_E_UNAUTHENTICATED', name);
  }
  const claimed = { ...request, challenge, proof: await prove(challenge) };
  assert.is(
    (await rejection(renew({ ...dial, cluster: 'c2' }, claimed))).code,
    'RELAY_E_IDENTITY_MISMATCH',
    'the header of another',
  );

  const { certificatePem } = await renew(dial, claimed);
  assert.equal(namesOf(certificatePem), C1);
  assert.match((await rejection(renew(dial, claimed))).message, 'request a new one', 'the same proof a second time');

  const lapsed = await issuedBefore(management, 'c1', 61);
  const late = { ...request, expiredCertificatePem: lapsed.certificate, challenge: NOTHING, proof: NOTHING };
  assert.match((await rejection(renew(dial, late))).message, 'expired');
  for (const garbage of ['x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', roots]) {
    const error = await rejection(renew(dial, { ...late, expiredCertificatePem: garbage }));
    assert.is(error.code, 'RELAY_E_UNAUTHENTICATED', garbage.slice(0, 40));
  }
});

test('a revoked cluster is disconnected within five seconds, cannot reconnect or renew; others are not affected', async () => {
  await using running = await started('c1', 'c2');
  const { management, server } = running;
  const [c1, c2] = [await management.enrol(server, 'c1'), await management.enrol(server, 'c2')];
  using victim = new ScriptedAgent().push(...istioCluster('c1', 1));
  using other = new ScriptedAgent().push(...istioCluster('c2', 1));
  victim.connect(c1);
  other.connect(c2);
  await eventually('both are connected', () => management.logged('relay stream opened').length === 4);
  const began = performance.now();
  management.revoke('c1');
  const [push, pull] = await Promise.all([victim.ended('push'), victim.ended('pull')]);
  const took = performance.now() - began;
  assert.is(push?.code, 'RELAY_E_UNAUTHENTICATED');
  assert.match(pull?.message ?? '', 'was revoked');
  assert.ok(took < 5_000, `it took ${took} ms`);

  victim.connect(c1);
  assert.match((await victim.ended('push'))?.message ?? '', 'was revoked');
  const csrPem = await createCsr({ key: await generateKey('agent') });
  assert.match((await rejection(renew(c1, plain(csrPem)))).message, 'was revoked');
  const ofOldKey = await createCsr({ key: createPrivateKey(c1.identity?.key ?? '') });
  const token = management.giveToken('c1', 60_000, { replace: true });
  const { identity: _, ...unknown } = c1;
  using connection = connectRelay({
    ...unknown,
    address: `127.0.0.1:${unknown.port}`,
    authority: 'mgmt-server.meshrelay',
  });
  assert.match(
    (await rejection(connection.register({ token, csrPem: ofOldKey, program: '' }))).message,
    'its key was revoked',
    'not even with a token',
  );
  assert.match((await connection.register({ token, csrPem, program: '' })).certificatePem, 'BEGIN CERTIFICATE');
  assert.is(management.logged('relay stream ended').filter(({ cluster }) => cluster === 'c2').length, 0);
});

test('revocations survive a restart of every server, and no agent is admitted before they are read', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const c1 = await management.enrol(server, 'c1');
  management.revoke('c1');
  await server[Symbol.asyncDispose]();
  await using second = await management.startServer();
  using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.connect({ ...c1, port: second.relayPort });
  assert.match((await agent.ended('push'))?.message ?? '', 'was revoked');
  management.setSecret('relay-certificates', { c1: 'damaged' });
  await second[Symbol.asyncDispose]();
  await using third = await management.startServer();
  using again = new ScriptedAgent().push(...istioCluster('c1', 1));
  again.connect({ ...c1, port: third.relayPort });
  assert.is((await again.ended('push'))?.code, 'RELAY_E_UNAVAILABLE');
});

/** Result of a new connection: `let in`, or the reason of the rejection. */
async function answerTo(management: ManagementCluster, dial: Dial): Promise<string> {
  const opened = (): number => management.logged('relay stream opened').length;
  const before = opened();
  using agent = new ScriptedAgent().push(...istioCluster(dial.cluster, 1));
  agent.connect(dial);
  let refused: string | undefined;
  agent.ended('push').then((error) => {
    refused = error?.message;
  });
  return await eventually('an answer', () => refused ?? (opened() > before ? 'let in' : undefined));
}

test('a running server uses the last readable revocations if the Secret is corrupt, and issues nothing', async () => {
  await using running = await started('c1', 'c2');
  const { management, server } = running;
  const [c1, c2] = [await management.enrol(server, 'c1'), await management.enrol(server, 'c2')];
  management.revoke('c1');
  await eventually('c1 is revoked', async () => (await answerTo(management, c1)).includes('was revoked'));
  management.setSecret('relay-certificates', { c1: 'damaged' });
  const seen = 'a Secret cannot be read; its previous content stays in use';
  await eventually('the damage is seen', () => management.logged(seen).length > 0);
  assert.is(await answerTo(management, c2), 'let in');
  assert.match(await answerTo(management, c1), 'was revoked');
  const csrPem = await createCsr({ key: await generateKey('agent') });
  assert.is((await rejection(renew(c2, plain(csrPem)))).code, 'RELAY_E_INTERNAL');
});

test('if the revocations are lost, revoking the cluster again ends certificates without a record, too', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const c1 = await management.enrol(server, 'c1');
  management.revoke('c1');
  await eventually('it is revoked', async () => (await answerTo(management, c1)).includes('was revoked'));
  management.setSecret('relay-certificates', {});
  await eventually('it is good again', async () => (await answerTo(management, c1)) === 'let in');
  management.revoke('c1');
  await eventually('it is revoked again', async () => (await answerTo(management, c1)).includes('was revoked'));
});

test('streams end with the certificate they were opened with', async () => {
  await using running = await started('c1');
  const { management, server } = running;
  const c1 = await management.enrol(server, 'c1');
  using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.connect(c1);
  await eventually('it is connected', () => management.logged('relay stream opened').length === 2);
  management.setNow(() => new Date(Date.now() + 31 * DAY));
  assert.match((await agent.ended('push'))?.message ?? '', 'expired at');
});

test.run();
