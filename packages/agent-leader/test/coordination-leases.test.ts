/** What the adapter puts on the wire, against a small API server that keeps one Lease. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoordinationV1Api, KubeConfig } from '@kubernetes/client-node';
import { assert, eventually, test } from '@meshrelay/testing';
import { coordinationLeases, isLostRace } from '../src/coordination-leases.ts';
import type { LeaseClient } from '../src/mod.ts';

interface Stored {
  metadata: Record<string, unknown> & { resourceVersion?: string };
  spec: Record<string, unknown>;
}

class LeaseServer implements AsyncDisposable {
  stored: Stored | undefined;
  requests: string[] = [];
  hang = false;
  hungUp = 0;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async client(): Promise<LeaseClient> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    const { port } = this.#server.address() as AddressInfo;
    const config = new KubeConfig();
    config.loadFromClusterAndUser(
      { name: 'test', server: `http://127.0.0.1:${port}`, skipTLSVerify: true },
      { name: 'test' },
    );
    return coordinationLeases(config.makeApiClient(CoordinationV1Api));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    response.on('close', () => {
      if (!response.writableEnded) this.hungUp++;
    });
    if (this.hang) return;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const sent = body === '' ? undefined : (JSON.parse(body) as Stored);
    const refuse = (code: number, reason: string): void => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason }));
    };
    if (request.method === 'POST' && this.stored !== undefined) return refuse(409, 'AlreadyExists');
    if (request.method === 'GET' && this.stored === undefined) return refuse(404, 'NotFound');
    if (sent !== undefined) {
      if (request.method === 'PUT' && sent.metadata.resourceVersion !== this.stored?.metadata.resourceVersion) {
        return refuse(409, 'Conflict');
      }
      const version = Number(this.stored?.metadata.resourceVersion ?? 0) + 1;
      this.stored = { ...sent, metadata: { ...sent.metadata, resourceVersion: String(version) } };
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(this.stored));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

const open = new AbortController().signal;
const path = '/apis/coordination.k8s.io/v1/namespaces/mesh/leases';

test('a Lease that is missing is undefined, made by POST, then read back as it was written', async () => {
  await using server = new LeaseServer();
  const leases = await server.client();
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

test('an update carries the version and what other people wrote', async () => {
  await using server = new LeaseServer();
  const leases = await server.client();
  server.stored = {
    metadata: { namespace: 'mesh', name: 'agent', resourceVersion: '7', labels: { team: 'x' } },
    spec: { preferredHolder: 'b' },
  };
  const read = await leases.get('mesh', 'agent', open);
  assert.ok(read);
  await leases.update({ ...read, spec: { ...read.spec, holderIdentity: 'a' } }, open);
  assert.equal(server.stored.metadata.labels, { team: 'x' });
  assert.equal(server.stored.spec, { preferredHolder: 'b', holderIdentity: 'a' });
  let refusal: unknown;
  await leases.update(read, open).catch((error: unknown) => {
    refusal = error;
  });
  assert.match(String(refusal), '409');
  refusal = undefined;
  await leases.update({ metadata: { namespace: 'mesh', name: 'agent' } }, open).catch((error: unknown) => {
    refusal = error;
  });
  assert.match(String(refusal), 'Lease mesh/agent: no resourceVersion');
});

test('an abort closes the request that is under way', async () => {
  await using server = new LeaseServer();
  const leases = await server.client();
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

test('a lost race is told from a failure', async () => {
  await using server = new LeaseServer();
  const client = await server.client();
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
