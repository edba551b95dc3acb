/**
 * The rotation of the relay's CA: each step waits for every agent, can be interrupted and continued, and reverted (T16,
 * F42).
 */
import { MULTICLUSTER_API_VERSION } from '@meshrelay/api';
import { meshrelayKind, type SecretData, Secrets } from '@meshrelay/kube';
import {
  CERTIFICATES_SECRET,
  createCsr,
  createIntermediate,
  createRoot,
  generateKey,
  issueServerCertificate,
  keyHashOf,
  NEXT_ROOT_SECRET,
  readAuthority,
  readCertificateBook,
  readCertificates,
  readTrustBundle,
  trustDomain,
  verifyPeer,
  writeCertificateBook,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import { OWNER_LABEL, ROOT_SECRET, SERVER_SECRET, SIGNING_SECRET } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import { abortRotation, type CaRotation, rotateCa } from '../../src/online/rotate-ca.ts';
import { managementCluster, NAMESPACE, type TestCluster } from '../support/clusters.ts';

const DOMAIN = trustDomain('relay.test');
const now = new Date();
const made = await (async () => {
  const root = await createRoot({ commonName: 'old', trustDomain: DOMAIN, days: 100, now });
  const rootPem = writeCertificates([root.certificate]);
  const [signingKey, serverKey] = await Promise.all([generateKey('relay-ca'), generateKey('relay-server')]);
  const csrPem = await createCsr({ key: signingKey });
  const signing = await createIntermediate({
    ca: root,
    csrPem,
    commonName: 'issuer',
    trustDomain: DOMAIN,
    constrained: true,
    days: 90,
    now,
  });
  const names = { dnsNames: ['mgmt.example', '*.mgmt.example'], ipAddresses: ['192.0.2.7', '2001:db8::7'] };
  const server = await issueServerCertificate({ ca: root, key: serverKey, ...names, now });
  if (!signing.ok || !server.ok) throw new Error('the test has no CA');
  return {
    [ROOT_SECRET]: { 'ca.crt': rootPem, 'tls.crt': rootPem, 'tls.key': writePrivateKey(root.key) },
    [SIGNING_SECRET]: { 'tls.crt': signing.chainPem, 'tls.key': writePrivateKey(signingKey), 'ca.crt': rootPem },
    [SERVER_SECRET]: { 'tls.crt': server.chainPem, 'tls.key': writePrivateKey(serverKey), 'ca.crt': rootPem },
  };
})();

async function relay(options: { readonly managed?: boolean } = {}) {
  const cleanup = new AsyncDisposableStack();
  const cluster: TestCluster = cleanup.use(await managementCluster({ started: false }));
  const secrets = new Secrets(cluster.connection, NAMESPACE);
  const notes = options.managed === false ? {} : { labels: { [OWNER_LABEL]: NAMESPACE } };
  for (const [name, data] of Object.entries(made)) await secrets.create(name, data, notes);
  for (const name of ['east', 'west', 'paused', 'new'])
    await cluster.connection.objects(meshrelayKind('KubernetesCluster')).create({
      apiVersion: MULTICLUSTER_API_VERSION,
      kind: 'KubernetesCluster',
      metadata: { name, namespace: NAMESPACE },
      spec: name === 'paused' ? { suspended: true } : {},
    });
  const read = async (name: string): Promise<SecretData> => (await secrets.read(name))?.data ?? {};
  /** Reports of an agent that has applied the server's roots. */
  const acknowledge = async (...clusters: readonly string[]): Promise<void> => {
    const { hash } = readTrustBundle((await read(ROOT_SECRET))['ca.crt'] ?? '');
    const [issuer] = readCertificates((await read(SIGNING_SECRET))['tls.crt'] ?? '', 'test', { max: 3 });
    await secrets.update(CERTIFICATES_SECRET, (before) => {
      const book = clusters.reduce(
        (known, one) => known.acknowledge(one, hash, issuer && keyHashOf(issuer)),
        readCertificateBook(before),
      );
      return writeCertificateBook(book);
    });
  };
  const steps: string[] = [];
  const rotation = (timeout: number): CaRotation => ({
    management: cluster.connection,
    namespace: NAMESPACE,
    without: [],
    timeout,
    now: () => now,
    step: (text) => steps.push(text),
  });
  return { read, acknowledge, steps, rotation, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

/** Whether clients that trust these roots accept the server's certificate. */
function serves(server: SecretData, roots: string): boolean {
  return ['mgmt.example', 'a.mgmt.example', '192.0.2.7', '2001:db8::7'].every(
    (serverName) =>
      verifyPeer({ purpose: 'server', serverName, chain: server['tls.crt'] ?? '', roots: readTrustBundle(roots), now })
        .ok,
  );
}

const old = made[ROOT_SECRET]['ca.crt'];

test('each step waits for every agent that was connected once and is not suspended; after an interruption it continues', async () => {
  await using fleet = await relay();
  const { read, acknowledge, steps, rotation } = fleet;
  await acknowledge('east', 'west', 'paused');
  const message = await rotateCa(rotation(1)).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.match(message, 'until every agent trusts both roots; these do not yet: east, west.');
  const both = (await read(ROOT_SECRET))['ca.crt'] ?? '';
  assert.is(readTrustBundle(both).roots.length, 2);
  assert.equal(await read(SERVER_SECRET), made[SERVER_SECRET], 'nothing is signed under the new one yet');

  await acknowledge('east');
  assert.match(
    await rotateCa(rotation(1)).then(
      () => '',
      (error: Error) => error.message,
    ),
    'these do not yet: west.',
  );
  await acknowledge('west');
  assert.match(
    await rotateCa(rotation(1)).then(
      () => '',
      (error: Error) => error.message,
    ),
    'until every agent has a certificate under the new root; these do not yet: east, west.',
  );
  const switched = await read(SERVER_SECRET);
  assert.ok(serves(switched, both) && !serves(switched, old), 'under the new root, for the same names');
  assert.is(readTrustBundle((await read(ROOT_SECRET))['ca.crt'] ?? '').roots.length, 2);
  const signing = await read(SIGNING_SECRET);
  assert.ok(signing['previous.crt']?.includes(made[SIGNING_SECRET]['tls.crt'].trim()));
  readAuthority({ certificatePem: signing['tls.crt'] ?? '', keyPem: signing['tls.key'] ?? '' });

  await acknowledge('east', 'west');
  await rotateCa(rotation(1));
  const root = await read(ROOT_SECRET);
  assert.is(root['ca.crt'], root['tls.crt']);
  assert.not(root['ca.crt']?.includes(old.trim()));
  assert.equal(await read(SERVER_SECRET), switched);
  assert.is((await read(SIGNING_SECRET))['previous.crt'], undefined);
  assert.equal(await read(NEXT_ROOT_SECRET), {});
  assert.is(steps.at(-1), 'the old root is removed');
});

test('a rotation is reverted before anything is signed, and after, until the old root is removed', async () => {
  await using fleet = await relay();
  const { read, acknowledge, steps, rotation } = fleet;
  await acknowledge('east', 'west');
  const ended = (work: Promise<void>): Promise<string> =>
    work.then(
      () => 'done',
      (error: Error) => error.message,
    );
  assert.match(await ended(abortRotation(rotation(1))), 'no rotation of the CA is in progress');
  await ended(rotateCa(rotation(1)));
  assert.is(await ended(abortRotation(rotation(1))), 'done');
  assert.is((await read(ROOT_SECRET))['ca.crt']?.trim(), old.trim());
  assert.equal(await read(NEXT_ROOT_SECRET), {});

  await ended(rotateCa(rotation(1)));
  await acknowledge('east', 'west');
  await ended(rotateCa(rotation(1)));
  assert.not(serves(await read(SERVER_SECRET), old));
  const back = abortRotation(rotation(60_000));
  await eventually('it is turned back', () =>
    steps.includes('the server signs with the new root, and presents a certificate under it'),
  );
  await eventually('the server is under the old root', async () => serves(await read(SERVER_SECRET), old));
  await eventually('agents follow', async () => {
    await acknowledge('east', 'west');
    return steps.includes('the old root is removed');
  });
  await back;
  assert.is((await read(ROOT_SECRET))['ca.crt']?.trim(), old.trim());
  assert.is((await read(ROOT_SECRET))['tls.key'], made[ROOT_SECRET]['tls.key']);
});

test('a CA of another owner is not rotated, and one agent can be excluded', async () => {
  await using foreign = await relay({ managed: false });
  const message = await rotateCa(foreign.rotation(1)).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.match(message, 'was not created by the server; rotate it where it was created');
  await using fleet = await relay();
  await fleet.acknowledge('east', 'west');
  const rotating = rotateCa({ ...fleet.rotation(60_000), without: ['west'] });
  await eventually('it is done without west', async () => {
    await fleet.acknowledge('east');
    return fleet.steps.includes('the old root is removed');
  });
  await rotating;
});

test.run();
