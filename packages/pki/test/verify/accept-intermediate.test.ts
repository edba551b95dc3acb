/** A received intermediate CA is accepted only if it matches the request. */
import { assert, test } from '@meshrelay/testing';
import { writeCertificates } from '../../src/certificate/certificate.ts';
import { createIntermediate } from '../../src/issue/create-intermediate.ts';
import { createRoot } from '../../src/issue/create-root.ts';
import { issueAgentCertificate } from '../../src/issue/issue-agent-certificate.ts';
import { createCsr } from '../../src/request/create-csr.ts';
import { agentIdentity } from '../../src/spiffe/agent-identity.ts';
import { trustDomain } from '../../src/spiffe/spiffe-id.ts';
import { type AcceptIntermediateOptions, acceptIntermediate } from '../../src/verify/accept-intermediate.ts';
import { rsaKey } from '../test-keys.ts';

const NOW = new Date('2030-06-15T12:00:00Z');
const DOMAIN = trustDomain('east.example');
const [rootKey, otherRootKey, caKey, otherKey] = await Promise.all([
  rsaKey('mesh root'),
  rsaKey('other mesh root'),
  rsaKey('mesh ca'),
  rsaKey('other mesh ca'),
]);
const rootOf = (key: typeof rootKey) =>
  createRoot({ commonName: 'mesh root', trustDomain: trustDomain('shop.meshrelay'), days: 100, now: NOW, key });
const [root, otherRoot] = await Promise.all([rootOf(rootKey), rootOf(otherRootKey)]);
const rootsPem = writeCertificates([root.certificate]);
const csrPem = await createCsr({ key: caKey });
const made = await createIntermediate({
  ca: root,
  csrPem,
  commonName: 'c1 intermediate',
  trustDomain: DOMAIN,
  constrained: true,
  days: 50,
  now: NOW,
});
if (!made.ok) throw new Error(made.message);
const requested: AcceptIntermediateOptions = {
  chainPem: made.chainPem,
  rootsPem,
  key: caKey,
  trustDomain: DOMAIN,
  now: NOW,
};
const result = (changes: Partial<AcceptIntermediateOptions>): string => {
  const verified = acceptIntermediate({ ...requested, ...changes });
  return verified.ok ? 'taken' : verified.reason;
};

test('a matching CA is accepted, and chains to the root', () => {
  const accepted = acceptIntermediate(requested);
  assert.ok(accepted.ok);
  assert.is(accepted.chainPem, `${accepted.certificatePem}${rootsPem}`);
  assert.is(accepted.rootsPem, rootsPem);
});

test('a CA for another key, trust domain or time is rejected', () => {
  assert.is(result({ key: otherKey }), 'public-key');
  assert.is(result({ trustDomain: trustDomain('west.example') }), 'identity');
  assert.is(result({ now: new Date('2031-06-15T12:00:00Z') }), 'expired');
});

test('so is one that no root given with it has signed, even with the same name', () => {
  assert.is(result({ rootsPem: writeCertificates([otherRoot.certificate]) }), 'untrusted');
  assert.is(result({ rootsPem: writeCertificates([otherRoot.certificate, root.certificate]) }), 'taken');
});

test('so are a leaf, nothing, and text that is not a certificate', async () => {
  const leaf = await issueAgentCertificate({ ca: root, csrPem, identity: agentIdentity(DOMAIN, 'c1'), now: NOW });
  if (!leaf.ok) throw new Error(leaf.message);
  assert.is(result({ chainPem: leaf.chainPem }), 'not-a-ca');
  assert.is(result({ chainPem: '' }), 'malformed');
  assert.is(result({ chainPem: 'nonsense' }), 'malformed');
});

test.run();
