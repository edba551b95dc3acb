/** Certificates are renewed in time, whatever the server does meanwhile (F41, T17); only the test advances time. */

import type { KeyObject } from 'node:crypto';
import {
  agentIdentity,
  certificateFacts,
  createRoot,
  createToken,
  generateKey,
  issueAgentCertificate,
  RENEWAL_GRACE_DAYS,
  readCertificates,
  readCsr,
  trustBundle,
  trustDomain,
  verifyPeer,
  verifyPossession,
  writeCertificates,
} from '@meshrelay/pki';
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import {
  type RegisterRequest,
  type RelayConnectionOptions,
  RelayError,
  type RenewRequest,
  type RenewResponse,
} from '@meshrelay/relay-protocol';
import { createLogger } from '@meshrelay/telemetry';
import { TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, ManualClock, test } from '@meshrelay/testing';
import { ClientIdentity } from '../../src/identity/client-identity.ts';
import { RenewalLoop } from '../../src/identity/renewal-loop.ts';
import { CLUSTER } from '../harness/relay.ts';

const DOMAIN = trustDomain('relay.meshrelay.local');
const START = Date.parse('2030-01-01T00:00:00Z');
const DAY = 86_400_000;
const NOTHING = new Uint8Array();
const ca = await createRoot({ commonName: 'test', trustDomain: DOMAIN, days: 3650, now: new Date(START) });
/** Key generation is slow, and it does not matter here which key a certificate has. */
const keys = await Promise.all(Array.from({ length: 3 }, () => generateKey('agent')));

/** The issuing side of the server, with the same functions but without a network. */
class Issuer {
  lifetime = 60_000;
  /** Does not respond. */
  down = false;
  /** Rejects requests with this reason. */
  refuses: string | undefined;
  issued = 0;
  byProof = 0;
  readonly #now: () => Date;
  readonly #challenge = new Uint8Array(32).fill(7);

  constructor(now: () => Date) {
    this.#now = now;
  }

  connect({ clientCertificate }: RelayConnectionOptions) {
    return {
      register: ({ csrPem }: Omit<RegisterRequest, 'cluster'>) => this.#sign(csrPem),
      renew: (request: RenewRequest) => this.#renew(request, clientCertificate?.certificate),
      close: () => {},
    };
  }

  async #renew(request: RenewRequest, presented: string | undefined): Promise<RenewResponse> {
    const { csrPem, expiredCertificatePem, challenge, proof } = request;
    const chain = presented ?? expiredCertificatePem;
    const graceDays = presented === undefined ? RENEWAL_GRACE_DAYS : 0;
    const roots = trustBundle([ca.certificate]);
    const peer = verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, chain, roots, now: this.#now(), graceDays });
    if (!peer.ok) throw new RelayError('RELAY_E_UNAUTHENTICATED', peer.message);
    if (presented === undefined && proof.length === 0)
      return { certificatePem: '', rootsPem: '', challenge: this.#challenge };
    if (presented === undefined) {
      if (!verifyPossession(peer.certificate, { challenge, csrPem }, proof))
        throw new RelayError('RELAY_E_UNAUTHENTICATED', 'no proof');
    }
    const issued = await this.#sign(csrPem);
    if (presented === undefined) this.byProof += 1;
    return { ...issued, challenge: NOTHING };
  }

  async #sign(csrPem: string) {
    if (this.down) throw new RelayError('RELAY_E_UNAVAILABLE', 'cannot connect');
    if (this.refuses !== undefined) throw new RelayError('RELAY_E_UNAUTHENTICATED', this.refuses);
    const issued = await issueAgentCertificate({
      ca,
      csrPem,
      identity: agentIdentity(DOMAIN, CLUSTER),
      days: this.lifetime / DAY,
      now: this.#now(),
    });
    if (!issued.ok) throw new Error(issued.message);
    this.issued += 1;
    return { certificatePem: issued.chainPem, rootsPem: '' };
  }
}

async function running(random: () => number = Math.random) {
  const cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await TestCluster.start({ kinds: [] }));
  cluster.setSecret(ROOT_SECRET, { 'ca.crt': writeCertificates([ca.certificate]) });
  const clock = new ManualClock();
  const base = START + DAY - clock.now();
  /** Offset of this machine's system clock. */
  const skew = { agent: 0 };
  const now = (): Date => new Date(base + clock.now() + skew.agent);
  const issuer = new Issuer(() => new Date(base + clock.now()));
  const log: string[] = [];
  let made = 0;
  const identity = new ClientIdentity({
    connection: cluster.connection,
    namespace: 'meshrelay',
    relay: { serverAddress: 'relay.test:9900', cluster: CLUSTER, trustDomain: DOMAIN },
    program: 'test',
    clock,
    now,
    random,
    logger: createLogger({ name: 'test', level: 'debug', destination: { write: (line) => log.push(line) } }),
    connect: (options) => issuer.connect(options),
    makeKey: async (): Promise<KeyObject> => keys[made++ % keys.length] as KeyObject,
  });
  const giveToken = (): void => cluster.setSecret(TOKEN_SECRET, { token: createToken().reveal() });
  const serial = (): string | undefined => {
    const pem = identity.certificate?.certificate;
    return pem === undefined ? undefined : readCertificates(pem, 'test', { max: 3 })[0]?.serial;
  };
  return {
    cluster,
    clock,
    skew,
    issuer,
    identity,
    log,
    now,
    giveToken,
    serial,
    loop: () =>
      cleanup.use(
        new RenewalLoop({ identity, clock, now, random, logger: createLogger({ name: 'test', level: 'silent' }) }),
      ),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

test('F41: a hundred rotations under use, with the server away for a third of the time: no moment without a certificate', async () => {
  await using fixture = await running();
  const { clock, issuer, identity, giveToken, now } = fixture;
  giveToken();
  await identity.refresh();
  fixture.loop();
  let lapses = 0;
  let replaced = 0;
  let signal = identity.replaced;
  for (let step = 0; issuer.issued <= 100; step += 1) {
    assert.ok(step < 4_000, `only ${issuer.issued} rotations`);
    // 20 s of every 60 s.
    issuer.down = step % 30 < 10;
    await clock.pass(2_000);
    // The loop's work now takes no virtual time, but some real time.
    const due = identity.certificate !== undefined && !issuer.down && isDue(identity.certificate, now());
    const before = issuer.issued;
    if (due)
      await eventually('it is renewed', () => {
        void clock.pass(0);
        return issuer.issued > before || !isDue(identity.certificate, now());
      });
    const { certificate } = identity;
    if (certificate === undefined || now() > certificate.notAfter) lapses += 1;
    if (signal.aborted) {
      replaced += 1;
      signal = identity.replaced;
    }
  }
  assert.is(lapses, 0);
  assert.ok(replaced >= 95, `${replaced} replacements were reported`);
  assert.is(issuer.byProof, 0);
});

/** Whether even a late renewal would have happened by now. */
function isDue(certificate: { readonly notBefore: Date; readonly notAfter: Date } | undefined, now: Date): boolean {
  if (certificate === undefined) return false;
  const { notBefore, notAfter } = certificate;
  return now.getTime() > notBefore.getTime() + (notAfter.getTime() - notBefore.getTime()) * 0.65;
}

test('an expired certificate renews by proof of its key within thirty days; after that, or rejected, it reports the next action', async () => {
  await using fixture = await running();
  const { clock, issuer, identity, giveToken, cluster } = fixture;
  giveToken();
  const first = await identity.refresh();
  assert.ok(first);
  await clock.pass(29 * DAY);
  issuer.refuses = 'it was revoked';
  assert.is(await identity.refresh(), undefined);
  assert.match(identity.problem ?? '', 'it was revoked');
  assert.match(identity.problem ?? '', 'meshctl cluster register');
  issuer.refuses = undefined;
  assert.ok(await identity.refresh());
  assert.is(issuer.byProof, 1);
  assert.equal(Object.keys(cluster.secret(CLIENT_SECRET) ?? {}).sort(), ['ca.crt', 'tls.crt', 'tls.key']);

  await clock.pass(31 * DAY);
  assert.is(await identity.refresh(), undefined, 'too late');
  assert.is(issuer.byProof, 1);
  giveToken();
  assert.ok(await identity.refresh(), 'a token helps');
});

test('an interrupted renewal continues with the same key and request', async () => {
  await using fixture = await running();
  const { clock, issuer, identity, giveToken, cluster } = fixture;
  giveToken();
  await identity.refresh();
  await clock.pass(31_000);
  issuer.down = true;
  await identity.renew().then(
    () => assert.unreachable(),
    (error: RelayError) => assert.is(error.code, 'RELAY_E_UNAVAILABLE'),
  );
  const pending = cluster.secret(CLIENT_SECRET);
  assert.ok(pending?.['next.csr'] && pending['tls.crt'], 'in addition to the certificate in use');
  const csr = readCsr(Buffer.from(pending?.['next.csr'] ?? '', 'base64').toString());
  issuer.down = false;
  await identity.renew();
  const [leaf] = readCertificates(identity.certificate?.certificate ?? '', 'test', { max: 3 });
  assert.ok(leaf && csr.ok);
  assert.is(certificateFacts(leaf).keyHash, certificateFacts({ ...leaf, publicKey: csr.publicKey }).keyHash);
  assert.is(cluster.secret(CLIENT_SECRET)?.['next.csr'], undefined);
});

test('T17: an agent whose clock is ten minutes off, either way, renews and is never without a certificate', async () => {
  for (const skew of [-600_000, 600_000]) {
    await using fixture = await running(() => 0.5);
    const { clock, issuer, identity, giveToken, serial } = fixture;
    issuer.lifetime = 30 * DAY;
    giveToken();
    fixture.skew.agent = skew;
    assert.ok(await identity.refresh());
    fixture.loop();
    const first = serial();
    for (let day = 0; day < 16 * 24 && serial() === first; day += 1) {
      await clock.pass(3_600_000);
      await clock.pass(60_000);
      if (day > 14 * 24) await eventually('it settles', () => clock.pass(0).then(() => true));
      assert.ok(identity.certificate);
    }
    await eventually('it is renewed', () => clock.pass(60_000).then(() => serial() !== first));
    assert.is(issuer.issued, 2);
  }
});

test.run();
