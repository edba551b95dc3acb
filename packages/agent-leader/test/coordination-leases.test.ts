/** Requests that the adapter sends, against a small API server that stores one Lease. */
import { CoordinationV1Api, KubeConfig } from '@kubernetes/client-node';
import { assert, eventually, test } from '@meshrelay/testing';
import { coordinationLeases, isLostRace } from '../src/coordination-leases.ts';
import type { LeaseClient } from '../src/mod.ts';
import { LeaseServer } from './lease-server.ts';

async function clientOf(server: LeaseServer): Promise<LeaseClient> {
  const config = new KubeConfig();
  const cluster = { name: 'test', server: await server.listen(), skipTLSVerify: true };
  config.loadFromClusterAndUser(cluster, { name: 'test' });
  return coordinationLeases(config.makeApiClient(CoordinationV1Api));
}

const open = new AbortController().signal;
const path = '/apis/coordination.k8s.io/v1/namespaces/mesh/leases';

test('a missing Lease reads as undefined, is created by POST, then reads back as written', async () => {
  await using server = new LeaseServer();
  const leases = await clientOf(server);
  assert.is(await leases.get('mesh', 'agent', open), undefined);
  const spec = {
    holderIdentity: 'a_1',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-02T03:04:05.678000Z',
    renewTime: '2026-01-02T03:04:07.001000Z',
    leaseTransitions: 3,
  };
  await leases.create({ metadata: { namespace: 'mesh', name: 'agent' }, spec }, open);
  assert.equal(server.stored?.spec, spec);
  assert.equal((await leases.get('mesh', 'agent', open))?.spec, spec);
  assert.equal(server.requests, [`GET ${path}/agent`, `POST ${path}`, `GET ${path}/agent`]);
});

test('an update carries the version and the fields of other writers', async () => {
  await using server = new LeaseServer();
  const leases = await clientOf(server);
  server.stored = {
    metadata: { namespace: 'mesh', name: 'agent', resourceVersion: '7', labels: { team: 'x' } },
    spec: { preferredHolder: 'b' },
  };
  const read = await leases.get('mesh', 'agent', open);
  assert.ok(read);
  await leases.update({ ...read, spec: { ...read.spec, holderIdentity: 'a' } }, open);
  assert.equal(server.stored.metadata.labels, { team: 'x' });
  assert.equal(server.stored.spec, { preferredHolder: 'b', holderIdentity: 'a' });
  let rejection: unknown;
  await leases.update(read, open).catch((error: unknown) => {
    rejection = error;
  });
  assert.match(String(rejection), '409');
  rejection = undefined;
  await leases.update({ metadata: { namespace: 'mesh', name: 'agent' } }, open).catch((error: unknown) => {
    rejection = error;
  });
  assert.match(String(rejection), 'Lease mesh/agent: no resourceVersion');
});

test('a rejection names the request and the reason, without headers of the response', async () => {
  await using server = new LeaseServer();
  const leases = await clientOf(server);
  server.stored = { metadata: { namespace: 'mesh', name: 'agent' }, spec: {} };
  const rejection = await leases
    .create({ metadata: { namespace: 'mesh', name: 'agent' } }, open)
    .catch((error) => error);
  assert.is(String(rejection), 'LeaseRequestError: create Lease mesh/agent: HTTP 409: no reason given');
  assert.equal(Object.keys(rejection), ['name', 'status']);
});

test('an abort closes the request in flight', async () => {
  await using server = new LeaseServer();
  const leases = await clientOf(server);
  server.hang = true;
  const abort = new AbortController();
  const get = leases.get('mesh', 'agent', abort.signal).then(
    () => 'answered',
    () => 'rejected',
  );
  await eventually('the request to arrive', () => server.requests.length === 1);
  abort.abort();
  assert.is(await get, 'rejected');
  await eventually('the connection to close', () => server.hungUp === 1);
});

test('a lost race is distinguished from a failure', async () => {
  await using server = new LeaseServer();
  const client = await clientOf(server);
  const signal = new AbortController().signal;
  const lease = { metadata: { name: 'l', namespace: 'n' }, spec: { holderIdentity: 'a' } };
  await client.create(lease, signal);
  const refused = await client.create(lease, signal).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(isLostRace(refused));
  assert.not.ok(isLostRace(new Error('connection refused')));
});

test.run();
