/**
 * An intermediate CA of a mesh: issued if desired, renewed in time, and never written over a Secret of another owner.
 */
import { X509Certificate } from 'node:crypto';
import type { IssuedCertificate, IssuedCertificateSpec } from '@meshrelay/api';
import type { SecretData, StoredSecret } from '@meshrelay/kube';
import { createCsr, createIntermediate, createRoot, generateKey, trustDomain, writeCertificates } from '@meshrelay/pki';
import { ISSUED_FOR_LABEL, WORKLOAD_CA_SECRET } from '@meshrelay/relay-core';
import { RelayError, type SignRequest, type SignResponse } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { FencedError } from '../../src/apply/fence.ts';
import { bringCertificate, type MeshCertificateOptions } from '../../src/certificates/mesh-certificate.ts';

const DAY = 86_400_000;
const START = new Date('2030-06-15T12:00:00Z').getTime();
const DOMAIN = trustDomain('east.example');
const rootKey = await generateKey('agent');
const root = await createRoot({
  commonName: 'root',
  trustDomain: DOMAIN,
  days: 3650,
  now: new Date(START),
  key: rootKey,
});
const rootsPem = writeCertificates([root.certificate]);
const keys = await Promise.all([1, 2, 3].map(() => generateKey('agent')));

/** One namespace with its Secrets, and a server that signs for 100 days. */
class Cluster {
  readonly secrets = new Map<string, StoredSecret>();
  readonly requested: SignRequest[] = [];
  time = START;
  writes = 0;
  connected = true;
  leads = true;
  /** Replaces the server's response. */
  answer: (() => Promise<SignResponse>) | undefined;

  readonly options: MeshCertificateOptions = {
    secrets: () => ({
      read: async (name) => this.secrets.get(name),
      create: async (name, data, { labels = {} } = {}) => this.put(name, data, labels),
      replace: async ({ name, object }, data) => this.put(name, data, object.metadata.labels ?? {}),
    }),
    sign: (request) => (this.connected ? this.#sign(request) : undefined),
    makeKey: async () => keys[this.requested.length % keys.length] ?? rootKey,
    check: () => {
      if (!this.leads) throw new FencedError('another leads');
    },
    now: () => new Date(this.time),
  };

  put(name: string, data: SecretData, labels: Readonly<Record<string, string>>): StoredSecret {
    this.writes++;
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, spec: {} };
    const stored = { name, data, managed: false, object };
    this.secrets.set(name, stored);
    return stored;
  }

  reconcile(spec: Partial<IssuedCertificateSpec> = {}) {
    const whole: IssuedCertificateSpec = {
      trustDomain: DOMAIN,
      constrained: false,
      secretName: 'cacerts',
      issuer: { virtualMesh: { name: 'shop', namespace: 'meshrelay' } },
      ...spec,
    };
    const metadata = { name: 'ca', namespace: 'istio-system' };
    return bringCertificate({ metadata, spec: whole } as IssuedCertificate, this.options);
  }

  async #sign(request: SignRequest): Promise<SignResponse> {
    this.requested.push(request);
    if (this.answer !== undefined) return this.answer();
    const { csrPem } = request;
    const now = new Date(this.time);
    const options = { ca: root, csrPem, commonName: 'ca', trustDomain: DOMAIN, constrained: false, days: 100, now };
    const made = await createIntermediate(options);
    if (!made.ok) throw new Error(made.message);
    return { chainPem: made.chainPem, rootsPem };
  }
}

const failure = (action: Promise<unknown>): Promise<string> => action.then(() => 'done', String);

test('a certificate shortened to the end of its root reports that', async () => {
  const shortened = (spec: Partial<IssuedCertificateSpec>) =>
    new Cluster().reconcile(spec).then(({ message }) => message);
  assert.match(await shortened({ options: { ttlDays: 101 } }), /it expires with the root .*before 101 days/);
  assert.match(await shortened({}), 'before 365 days');
  assert.not.match(await shortened({ options: { ttlDays: 100 } }), 'it ends with the root');
});

test('the Secret has the keys that istiod reads: a signing CA, its key, its chain and the root', async () => {
  const cluster = new Cluster();
  const status = await cluster.reconcile();
  assert.is(status.state, 'ISSUED');
  assert.equal(
    cluster.requested.map(({ namespace, name }) => `${namespace}/${name}`),
    ['istio-system/ca'],
  );
  const data = cluster.secrets.get('cacerts')?.data ?? {};
  assert.equal(Object.keys(data).sort(), ['ca-cert.pem', 'ca-key.pem', 'cert-chain.pem', 'root-cert.pem']);
  const ca = new X509Certificate(data['ca-cert.pem'] ?? '');
  assert.ok(ca.ca);
  assert.ok(ca.verify(new X509Certificate(data['root-cert.pem'] ?? '').publicKey));
  assert.is(data['cert-chain.pem'], `${data['ca-cert.pem']}${data['root-cert.pem']}`);
  assert.is(status.serialNumber, ca.serialNumber.toLowerCase());
  assert.not.ok(JSON.stringify(cluster.requested).includes('PRIVATE KEY'), 'no key leaves');
});

test('it is written once, and again when little of its lifetime is left or the request changes', async () => {
  const cluster = new Cluster();
  await cluster.reconcile();
  cluster.time += 79 * DAY;
  await cluster.reconcile();
  assert.is(cluster.writes, 1);
  cluster.time += 2 * DAY;
  assert.is((await cluster.reconcile()).state, 'ISSUED');
  assert.is(cluster.writes, 2);
  await cluster.reconcile({ options: { orgName: 'Shop' } });
  assert.is(cluster.writes, 3);
  await cluster.reconcile({ options: { orgName: 'Shop' } });
  assert.is(cluster.writes, 3);
});

test('a corrupt one is issued again', async () => {
  const cluster = new Cluster();
  await cluster.reconcile();
  const { data, object } = cluster.secrets.get('cacerts') as StoredSecret;
  cluster.put('cacerts', { ...data, 'ca-cert.pem': 'nonsense' }, object.metadata.labels ?? {});
  assert.is((await cluster.reconcile()).state, 'ISSUED');
  assert.ok(new X509Certificate(cluster.secrets.get('cacerts')?.data['ca-cert.pem'] ?? '').ca);
});

test('a Secret of another owner stays unchanged, and so does one of another IssuedCertificate', async () => {
  const cluster = new Cluster();
  for (const labels of [{}, { [ISSUED_FOR_LABEL]: 'other' }]) {
    cluster.put('cacerts', { 'ca-cert.pem': 'of-the-user' }, labels);
    const { state, message } = await cluster.reconcile();
    assert.is(state, 'FOREIGN');
    assert.match(message, 'Secret istio-system/cacerts was not created by Meshrelay');
    assert.is(cluster.secrets.get('cacerts')?.data['ca-cert.pem'], 'of-the-user');
  }
  assert.equal(cluster.requested, []);
});

test('no other Secret is written, whatever the server requests', async () => {
  const cluster = new Cluster();
  const { state, message } = await cluster.reconcile({ secretName: 'bootstrap-token' });
  assert.is(state, 'FAILED');
  assert.match(message, 'because no mesh reads its CA from it');
  assert.is(cluster.writes, 0);
});

test('the root of a cluster is signed in the cluster, with or without a server, and once', async () => {
  const cluster = new Cluster();
  cluster.connected = false;
  const issuer = { virtualMesh: { name: 'shop', namespace: 'meshrelay' }, selfSigned: {} };
  const own = { secretName: WORKLOAD_CA_SECRET, issuer };
  const { state, message } = await cluster.reconcile(own);
  assert.is(state, 'ISSUED');
  assert.match(message, 'agents issue from it immediately');
  const data = cluster.secrets.get(WORKLOAD_CA_SECRET)?.data ?? {};
  assert.equal(Object.keys(data).sort(), ['ca-cert.pem', 'ca-key.pem', 'cert-chain.pem', 'root-cert.pem']);
  const ca = new X509Certificate(data['ca-cert.pem'] ?? '');
  assert.ok(ca.ca && ca.verify(ca.publicKey));
  assert.is(ca.subjectAltName, 'URI:spiffe://east.example');
  cluster.time += 1000 * DAY;
  await cluster.reconcile(own);
  assert.is(cluster.writes, 1);
  assert.equal(cluster.requested, []);
  cluster.connected = true;
  await cluster.reconcile({ ...own, issuer: { virtualMesh: issuer.virtualMesh } });
  assert.is(cluster.writes, 2, 'from now on under the root of the virtual mesh');
  assert.is(cluster.requested.length, 1);
});

test('a response that does not match the request is never written', async () => {
  const cluster = new Cluster();
  const other = await createIntermediate({
    ca: root,
    csrPem: await createCsr({ key: rootKey }),
    commonName: 'ca',
    trustDomain: DOMAIN,
    constrained: false,
    days: 10,
    now: new Date(START),
  });
  if (!other.ok) throw new Error(other.message);
  cluster.answer = async () => ({ chainPem: other.chainPem, rootsPem });
  const { state, message } = await cluster.reconcile();
  assert.is(state, 'FAILED');
  assert.match(message, 'another key');
  assert.is(cluster.writes, 0);
});

test('without a connection, after a rejection, or without the Lease nothing is written', async () => {
  const cluster = new Cluster();
  cluster.connected = false;
  assert.is((await cluster.reconcile()).state, 'PENDING');
  cluster.connected = true;
  cluster.answer = () => Promise.reject(new RelayError('RELAY_E_CLUSTER_NOT_DECLARED', 'not wanted'));
  assert.match(await failure(cluster.reconcile()), 'not wanted');
  cluster.answer = undefined;
  cluster.leads = false;
  assert.match(await failure(cluster.reconcile()), 'another leads');
  assert.is(cluster.writes, 0);
});

test.run();
