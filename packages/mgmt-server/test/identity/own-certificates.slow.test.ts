/**
 * Agents with certificates of the user's issuer, over the real relay: admitted by rules, renewed by that issuer, and
 * still revocable.
 */
import {
  type CertificateRegistry,
  createCsr,
  generateKey,
  readCertificateBook,
  writeCertificateBook,
} from '@meshrelay/pki';
import { connectRelay } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster } from '../support/discovered.ts';
import { items, ManagementCluster } from '../support/management.ts';
import { nameOf, OtherIssuer } from '../support/other-issuer.ts';
import { type Dial, register, ScriptedAgent } from '../support/scripted-agent.ts';

const corp = await OtherIssuer.create();
const DAY = 86_400_000;
const MINUTE = 60_000;
const NOTHING = new Uint8Array();
const RULES = [
  { cluster: 'c1', uri: nameOf('east') },
  { cluster: 'c2', uri: nameOf('west') },
];

async function started(clusters: readonly object[] = RULES) {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1', 'c2', 'c3']));
  management.setSecret('corp-ca', { 'ca.crt': corp.pem });
  const relay = { listen: '127.0.0.1:0', serverNames: ['mgmt-server.meshrelay'] };
  const clientIdentity = [{ caSecretName: 'corp-ca', clusters }];
  const server = cleanup.use(await management.startServer({ relay: { ...relay, clientIdentity } }));
  return { management, server, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

/** Result of an attempt to connect. */
async function outcome(dial: Dial): Promise<string> {
  using agent = new ScriptedAgent().push(...istioCluster(dial.cluster, 1));
  agent.connect(dial);
  const error = await agent.ended('push');
  return `${error?.code} ${error?.message}`;
}

async function connected(dial: Dial, term = 1): Promise<ScriptedAgent> {
  const agent = new ScriptedAgent(term).push(...istioCluster(dial.cluster, 1));
  agent.connect(dial);
  await eventually('it is heard', () => agent.complete);
  return agent;
}

test('T1: a certificate of another issuer is exactly the cluster that a rule gives it', async () => {
  await using running = await started();
  const { management, server } = running;
  const east = await corp.certificate('east');
  using agent = await connected(management.dial(server, 'c1', east));
  const [first] = await items(server, 'clusters');
  assert.is(first?.['name'], 'c1');
  assert.ok(agent.complete);

  assert.match(
    await outcome(management.dial(server, 'c2', east)),
    'RELAY_E_IDENTITY_MISMATCH x-cluster-id must be given once',
  );
  const unknown = await corp.certificate('north');
  assert.match(await outcome(management.dial(server, 'c3', unknown)), 'no rule of relay.clientIdentity is for');
  const strangers = await (await OtherIssuer.create()).certificate('east');
  assert.match(await outcome(management.dial(server, 'c1', strangers)), 'RELAY_E_UNAUTHENTICATED');
  const old = await corp.certificate('east', new Date(Date.now() - 2 * DAY));
  assert.match(await outcome(management.dial(server, 'c1', old)), 'RELAY_E_UNAUTHENTICATED', 'expired');
});

test('another issuer cannot give names in the relay’s own trust domain', async () => {
  await using running = await started();
  const { management, server } = running;
  const forger = await OtherIssuer.create('corp root', 'relay.meshrelay.local');
  management.setSecret('corp-ca', { 'ca.crt': forger.pem });
  await eventually('its CA is taken', () => management.log.some((line) => line.includes('certificates have changed')));
  const forged = await forger.certificate('c1');
  assert.match(await outcome(management.dial(server, 'c1', forged)), 'RELAY_E_UNAUTHENTICATED neither the relay');
});

test('only its issuer renews it; a token still gets a certificate of the relay', async () => {
  await using running = await started();
  const { management, server } = running;
  const dial = management.dial(server, 'c1', await corp.certificate('east'));
  const { port, roots, cluster, identity } = dial;
  const address = `127.0.0.1:${port}`;
  const authority = 'mgmt-server.meshrelay';
  const csrPem = await createCsr({ key: await generateKey('agent') });
  const request = { csrPem, expiredCertificatePem: '', challenge: NOTHING, proof: NOTHING };
  assert.ok(identity);
  using connection = connectRelay({ address, authority, roots, cluster, clientCertificate: identity });
  const rejection = await connection.renew(request).catch((error: Error) => error.message);
  assert.match(String(rejection), 'its issuer renews it');
  const { seconds, renew } = await connection.trust({ bundle: 'x' });
  assert.equal([seconds > 0, renew], [true, false]);
  using bare = connectRelay({ address, authority, roots, cluster });
  const expired = { ...request, expiredCertificatePem: identity.certificate };
  assert.match(String(await bare.renew(expired).catch((error: Error) => error.message)), /no trusted root|root/);

  const bought = await register(management.dial(server, 'c1'), management.giveToken('c1'));
  using agent = await connected({ ...dial, identity: bought });
  assert.ok(agent.complete);
});

test('a revoked cluster stays revoked, although its issuer renews, until it is readmitted', async () => {
  await using running = await started();
  const { management, server } = running;
  const east = await corp.certificate('east', new Date(Date.now() - 30 * MINUTE));
  using agent = await connected(management.dial(server, 'c1', east));
  using other = await connected(management.dial(server, 'c2', await corp.certificate('west')));
  const change = (of: (book: CertificateRegistry) => CertificateRegistry): void => {
    const book = readCertificateBook(management.secret('relay-certificates'));
    management.setSecret('relay-certificates', writeCertificateBook(of(book)));
  };
  // In the past, so that certificates that are valid for TLS now begin after it.
  change((book) => book.revoke('c1', new Date(Date.now() - 10 * MINUTE)));
  assert.match((await agent.ended('push'))?.message ?? '', 'was revoked');
  const renewed = await corp.certificate('east');
  for (const identity of [east, renewed])
    assert.match(await outcome(management.dial(server, 'c1', identity)), 'was revoked');
  assert.ok(other.complete, 'another cluster of the same issuer continues');

  change((book) => book.readmit('c1'));
  using again = await connected(management.dial(server, 'c1', renewed), 2);
  assert.ok(again.complete);
  assert.match(await outcome(management.dial(server, 'c1', east)), 'was revoked', 'the old one stays so');
});

test('an issuer that is no longer trusted is disconnected; replacing its CA disconnects no agent', async () => {
  await using running = await started();
  const { management, server } = running;
  const next = await OtherIssuer.create('corp root 2');
  using agent = await connected(management.dial(server, 'c1', await corp.certificate('east')));
  const changes = (): number => management.log.filter((line) => line.includes('certificates have changed')).length;
  management.setSecret('corp-ca', { 'ca.crt': corp.pem + next.pem });
  await eventually('both are taken', () => changes() === 1);
  using other = await connected(management.dial(server, 'c2', await next.certificate('west')));
  assert.ok(agent.complete && other.complete);
  management.setSecret('corp-ca', { 'ca.crt': next.pem });
  assert.match((await agent.ended('push'))?.message ?? '', 'neither the relay');
  await eventually('the other streams are verified, too', () => changes() === 2);
  management.setSecret('corp-ca', { 'ca.crt': 'canary' });
  await eventually('the unreadable Secret is logged', () =>
    management.log.some((line) => line.includes('Secret corp-ca: ca.crt holds no readable certificates')),
  );
  using third = await connected(management.dial(server, 'c2', await next.certificate('west')), 2);
  assert.ok(third.complete, 'and changes nothing');
});

test.run();
