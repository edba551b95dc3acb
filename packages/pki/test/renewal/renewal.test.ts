/** When certificates renew, and proof of the old key. */
import { assert, test } from '@meshrelay/testing';
import { readCertificate } from '../../src/certificate/certificate.ts';
import { provePossession, renewalChallenge, verifyPossession } from '../../src/renewal/possession.ts';
import { renewAt, renewalState, renewDue } from '../../src/renewal/renewal.ts';
import { createCsr } from '../../src/request/create-csr.ts';
import { agentExtensions, craftCertificate } from '../crafted.ts';
import { ecKey, ed25519Key, rsaKey } from '../test-keys.ts';

const DAY = 86_400_000;
const START = Date.parse('2030-01-01T00:00:00Z');
const certificate = { notBefore: new Date(START), notAfter: new Date(START + 30 * DAY) };
const day = (days: number): Date => new Date(START + days * DAY);

test('renews at half life, shifted by its jitter', () => {
  assert.equal(renewAt(certificate), day(15));
  assert.equal(renewAt(certificate, { jitter: 0.1 }), day(18));
  assert.equal(renewAt(certificate, { jitter: -0.1 }), day(12));
  assert.equal(renewAt(certificate, { fraction: 0.8, jitter: 0.9 }), day(30));
  assert.is(renewDue(certificate, new Date(day(15).getTime() - 1)), false);
  assert.is(renewDue(certificate, day(15)), true);
});

test('is fresh, due, expired and lapsed in turn', () => {
  const states = [
    day(0),
    day(14.9),
    day(15),
    day(30),
    new Date(day(30).getTime() + 1),
    day(60),
    new Date(day(60).getTime() + 1),
  ];
  assert.equal(
    states.map((now) => renewalState(certificate, now)),
    ['fresh', 'fresh', 'due', 'due', 'expired', 'expired', 'lapsed'],
  );
});

const [oldKey, newKey] = await Promise.all([rsaKey('old'), rsaKey('new')]);
const old = readCertificate(
  craftCertificate({
    key: oldKey,
    issuerKey: newKey,
    extensions: agentExtensions(oldKey, newKey, 'spiffe://d/cluster/c/agent'),
  }),
);
const statement = { challenge: renewalChallenge(), csrPem: await createCsr({ key: newKey }) };
const proof = await provePossession(oldKey, statement);

test('a proof by the old key over this challenge and request verifies', () => {
  assert.ok(verifyPossession(old, statement, proof));
});

test('a proof verifies for nothing else', async () => {
  const otherCsr = await createCsr({ key: await rsaKey('third') });
  assert.not.ok(verifyPossession(old, { ...statement, challenge: renewalChallenge() }, proof));
  assert.not.ok(verifyPossession(old, { ...statement, csrPem: otherCsr }, proof));
  assert.not.ok(verifyPossession(old, statement, await provePossession(newKey, statement)));
  assert.not.ok(verifyPossession(old, statement, proof.subarray(1)));
  assert.not.ok(verifyPossession(old, statement, new Uint8Array()));
  assert.not.ok(
    verifyPossession(
      old,
      statement,
      Uint8Array.from(proof, (octet, at) => (at === 9 ? octet ^ 1 : octet)),
    ),
  );
});

test('a challenge too short to be unguessable proves nothing', async () => {
  const weak = { ...statement, challenge: new Uint8Array(8) };
  assert.not.ok(verifyPossession(old, weak, await provePossession(oldKey, weak)));
});

test('challenges differ', () => {
  assert.is(new Set(Array.from({ length: 50 }, () => renewalChallenge().join())).size, 50);
});

test('P-256 keys prove too; unsupported kinds of keys never verify', async () => {
  const key = await ecKey('possession', 'prime256v1');
  const certified = readCertificate(
    craftCertificate({
      key,
      issuerKey: newKey,
      extensions: agentExtensions(key, newKey, 'spiffe://d/cluster/c/agent'),
    }),
  );
  assert.ok(verifyPossession(certified, statement, await provePossession(key, statement)));
  const edwards = await ed25519Key('possession');
  const other = readCertificate(
    craftCertificate({
      key: edwards,
      issuerKey: newKey,
      extensions: agentExtensions(edwards, newKey, 'spiffe://d/cluster/c/agent'),
    }),
  );
  assert.not.ok(verifyPossession(other, statement, proof));
});

test.run();
