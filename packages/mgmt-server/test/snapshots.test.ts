/** /snapshots/input and /snapshots/output: everything, one line each, without secrets, and for this machine only. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { MemoryStore } from '@meshrelay/store';
import { assert, eventually, test } from '@meshrelay/testing';
import { snapshotRoutes } from '../src/snapshots.ts';
import { destination, istioCluster, timeoutPolicy } from './support/discovered.ts';
import { newFleet } from './support/fleet.ts';
import { ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

interface Line {
  readonly cluster: string;
  readonly complete?: boolean;
  readonly object?: { readonly kind: string; readonly metadata: { readonly name: string } };
  readonly sourcePolicies?: readonly unknown[];
}

async function lines(port: number, path: string): Promise<Line[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/snapshots/${path}`)).text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const CANARY = 'cAnArY7f3e9';

test('objects from agents and from the management cluster, and desired objects of clusters', async () => {
  await using management = await ManagementCluster.start(['c1']);
  await using server = await management.startServer();
  await using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  const outside = destination('c1', 'outside', 1);
  const secret = { 'example.com/api-token': CANARY, 'example.com/note': `ask https://user:${CANARY}@example.com` };
  agent.push({ ...outside, metadata: { ...outside.metadata, annotations: secret } });
  agent.connect(await management.enrol(server, 'c1'));
  management.create(timeoutPolicy('slow', 'c1'));
  const named = (found: readonly Line[]): string[] =>
    found.map(({ cluster, object }) => `${cluster}/${object?.kind}/${object?.metadata.name}`);
  const output = 'c1/VirtualService/meshrelay-reviews';
  await eventually('the output is there', async () => named(await lines(server.healthPort, 'output')).includes(output));
  const outputs = await lines(server.healthPort, 'output');
  assert.is(outputs.find((line) => named([line])[0] === output)?.sourcePolicies?.length, 1);

  const inputs = await lines(server.healthPort, 'input');
  for (const name of ['/TrafficPolicy/slow', 'c1/Destination/reviews', 'c1/Destination/outside'])
    assert.ok(named(inputs).includes(name), name);
  assert.ok(inputs.some(({ cluster, complete }) => cluster === 'c1' && complete === true));
  assert.not.match(JSON.stringify(inputs), CANARY);
});

test('T12: other machines get no answer, nor do web pages under their own names', async () => {
  const address = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  const routes = snapshotRoutes({ fleet: newFleet(), store: new MemoryStore() });
  const server = createServer((requested, response) => void routes[requested.url ?? '']?.(requested, response));
  await new Promise<void>((listening) => server.listen(0, '0.0.0.0', listening));
  const { port } = server.address() as AddressInfo;
  const statusAt = (host: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
    new Promise((answer, failed) => {
      request({ host, port, path: '/snapshots/output', headers }, (response) => {
        response.resume();
        answer(response.statusCode ?? 0);
      })
        .on('error', failed)
        .end();
    });
  assert.is(await statusAt('127.0.0.1'), 200);
  if (address !== undefined) assert.is(await statusAt(address), 403);
  // DNS rebinding: a web page's own name that resolves to this machine has the page's origin.
  for (const local of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, '[::1]:80'])
    assert.is(await statusAt('127.0.0.1', { host: local }), 200, local);
  for (const foreign of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
    assert.is(await statusAt('127.0.0.1', { host: foreign }), 403, foreign);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

test.run();
