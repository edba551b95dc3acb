/** The server signs intermediates only for IssuedCertificates that it desires, with exactly their contents. */
import type { IssuedCertificateSpec } from '@meshrelay/api';
import { meshrelayKind, type SecretData, type StoredSecret } from '@meshrelay/kube';
import {
  acceptIntermediate,
  createCsr,
  createRoot,
  generateKey,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import { desiredKey } from '@meshrelay/relay-core';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { type AuditLine, AuditLog } from '../../src/audit/audit.ts';
import { MeshIssuer } from '../../src/certificates/mesh-issuer.ts';
import { MeshRoots } from '../../src/certificates/mesh-roots.ts';

const NOW = new Date('2030-06-15T12:00:00Z');
const KIND = meshrelayKind('IssuedCertificate');
const key = await generateKey('agent');
const csrPem = await createCsr({ key });
const DOMAIN = trustDomain('east.example');

/** A server that desires a certificate in cluster c1, and a namespace with Secrets. */
function issuerWith(spec: Partial<IssuedCertificateSpec> = {}, secrets = new Map<string, SecretData>()) {
  const requested: IssuedCertificateSpec = {
    trustDomain: 'east.example',
    constrained: false,
    secretName: 'cacerts',
    issuer: { virtualMesh: { name: 'shop', namespace: 'meshrelay' } },
    ...spec,
  };
  const object = {
    apiVersion: 'certificates.meshrelay.dev/v1alpha1',
    kind: 'IssuedCertificate',
    metadata: { name: 'ca' },
    spec: requested,
  };
  const id = desiredKey('c1', KIND, 'istio-system', 'ca');
  const desired = { get: (requests: string) => (requests === id ? { object } : undefined) };
  const lines: AuditLine[] = [];
  const stored = (name: string): StoredSecret | undefined => {
    const data = secrets.get(name);
    return data === undefined
      ? undefined
      : { name, data, managed: true, object: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, spec: {} } };
  };
  const roots = new MeshRoots({
    secrets: {
      read: (name) => Promise.resolve(stored(name)),
      ensure: async (name, make) => {
        if (!secrets.has(name)) secrets.set(name, await make());
        return stored(name) as StoredSecret;
      },
    },
    namespace: 'meshrelay',
    now: () => NOW,
  });
  const issuer = new MeshIssuer({
    fleet: { controlPlane: { desired } } as never,
    roots,
    audit: new AuditLog(silentLogger, { onLine: (line) => lines.push(line) }),
    now: () => NOW,
  });
  return { issuer, lines, secrets };
}

const request = { namespace: 'istio-system', name: 'ca', csrPem };

async function rejection(action: Promise<unknown>): Promise<string> {
  return action.then(
    () => 'signed',
    (error: Error & { code?: string }) => `${error.code} ${error.message}`,
  );
}

test('the root is created once, and signs the desired certificate for the key of the request', async () => {
  const { issuer, lines, secrets } = issuerWith({
    issuer: {
      virtualMesh: { name: 'shop', namespace: 'meshrelay' },
      generated: { rsaKeySizeBytes: 2048, ttlDays: 400 },
    },
    options: { ttlDays: 90, orgName: 'Shop' },
  });
  const first = await issuer.sign(request, 'c1');
  const accepted = acceptIntermediate({ ...first, key, trustDomain: DOMAIN, now: NOW });
  assert.ok(accepted.ok);
  assert.is(Math.round((accepted.certificate.notAfter.getTime() - NOW.getTime()) / 86_400_000), 90);
  const second = await issuer.sign(request, 'c1');
  assert.is(second.rootsPem, first.rootsPem);
  assert.equal([...secrets.keys()], ['shop.meshrelay']);
  assert.equal(Object.keys(secrets.get('shop.meshrelay') ?? {}), ['root-cert.pem', 'key.pem']);
  assert.equal(
    lines.map(({ action, outcome, cluster }) => `${action} ${outcome} ${cluster}`),
    ['sign done c1', 'sign done c1'],
  );
  assert.is(lines[0]?.serial, accepted.certificate.serial);
});

test('another cluster or another name gets no certificate, and the attempt is audited', async () => {
  const { issuer, lines, secrets } = issuerWith();
  assert.match(await rejection(issuer.sign(request, 'c2')), 'RELAY_E_CLUSTER_NOT_DECLARED');
  assert.match(await rejection(issuer.sign({ ...request, name: 'other' }, 'c1')), 'RELAY_E_CLUSTER_NOT_DECLARED');
  assert.match(
    await rejection(issuer.sign({ ...request, namespace: 'kube-system' }, 'c1')),
    'RELAY_E_CLUSTER_NOT_DECLARED',
  );
  assert.is(secrets.size, 0, 'no root is made for it');
  assert.equal(
    lines.map(({ outcome }) => outcome),
    ['refused', 'refused', 'refused'],
  );
});

test("the user's own root signs; the error names one that is missing, in another Secret, or broken", async () => {
  const root = await createRoot({
    commonName: 'own',
    trustDomain: DOMAIN,
    days: 100,
    now: NOW,
    key: await generateKey('agent'),
  });
  const rootsPem = writeCertificates([root.certificate]);
  const virtualMesh = { name: 'shop', namespace: 'meshrelay' };
  const named = (name: string, namespace = 'meshrelay') => ({ issuer: { virtualMesh, secret: { name, namespace } } });
  const secrets = new Map<string, SecretData>([
    ['own', { 'root-cert.pem': rootsPem, 'key.pem': writePrivateKey(root.key) }],
    ['usual', { 'tls.crt': rootsPem, 'tls.key': writePrivateKey(root.key) }],
    ['keyless', { 'root-cert.pem': rootsPem }],
    ['foreign', { 'root-cert.pem': rootsPem, 'key.pem': writePrivateKey(key) }],
  ]);
  for (const name of ['own', 'usual'])
    assert.is((await issuerWith(named(name), secrets).issuer.sign(request, 'c1')).rootsPem, rootsPem);
  const reported = async (spec: Partial<IssuedCertificateSpec>) =>
    rejection(issuerWith(spec, secrets).issuer.sign(request, 'c1'));
  assert.match(await reported(named('absent')), 'Secret meshrelay/absent does not exist');
  assert.match(await reported(named('own', 'default')), 'create the Secret in meshrelay');
  assert.match(await reported(named('keyless')), 'lacks root-cert.pem or tls.crt, or key.pem or tls.key');
  assert.match(await reported(named('foreign')), 'the key is not the one it certifies');
});

test("the server does not sign for a cluster's own root", async () => {
  const issuer = { virtualMesh: { name: 'shop', namespace: 'meshrelay' }, selfSigned: {} };
  const { issuer: server, secrets } = issuerWith({ issuer });
  assert.match(await rejection(server.sign(request, 'c1')), /RELAY_E_CLUSTER_NOT_DECLARED.*its agent signs it/);
  assert.is(secrets.size, 0);
});

test('an invalid request is rejected', async () => {
  const { issuer } = issuerWith({
    issuer: { virtualMesh: { name: 'shop', namespace: 'meshrelay' }, generated: { rsaKeySizeBytes: 2048 } },
  });
  assert.match(await rejection(issuer.sign({ ...request, csrPem: 'nonsense' }, 'c1')), 'RELAY_E_IDENTITY_MISMATCH');
});

test.run();
