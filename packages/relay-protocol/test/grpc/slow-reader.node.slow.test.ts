/** F27: an agent that stops reading costs the server at most its window, however much changes meanwhile. */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';
import { assert, eventually, test } from '@meshrelay/testing';
import { pullRequestCodec, pullResponseCodec } from '../../src/codec/codec.ts';
import { CLUSTER_HEADER, RELAY_SERVICE } from '../../src/grpc/service.ts';
import { envelope, keyOf } from '../link.ts';
import { Authority } from './authority.ts';
import { TestAgent, TestServer } from './fixture.ts';

const MIB = 1024 * 1024;
const OBJECTS = 64;
const BYTES = 32 * 1024;
/** Each changes all objects: 2 MiB. */
const ROUNDS = 100;
/** Twice the window: unacknowledged deltas, and as much again in HTTP/2's buffers. */
const BOUND = 16 * MIB;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const pass = (bytes: Buffer): Buffer => bytes;

async function held(): Promise<number> {
  // Memory released by streams is free one turn later.
  for (let round = 0; round < 3; round++) {
    await turn();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** An agent that reads until it has everything, and then stops; its connection still answers pings. */
function reader(agent: TestAgent, call: ClientDuplexStream<Buffer, Buffer>): void {
  const machine = agent.pull();
  const send = (): void => {
    for (let next = machine.next(); next !== undefined; next = machine.next())
      call.write(pullRequestCodec.encode(next));
  };
  machine.drive({ ready: () => queueMicrotask(send), fail: (error) => call.destroy(error) });
  call.on('error', () => undefined);
  call.on('data', (bytes: Buffer) => {
    machine.receive(pullResponseCodec.decode(bytes));
    if (agent.complete) call.pause();
  });
  send();
}

test('F27: changes while an agent does not read are coalesced to the last state', async () => {
  const authority = await Authority.create();
  const { key, certificate } = await authority.agent('c1');
  await using server = await TestServer.start(authority);
  let version = 0;
  const change = (): void => {
    version++;
    const upserts = Array.from({ length: OBJECTS }, (_, at) => envelope(keyOf(0, `n${at}`), `${version}`, BYTES));
    server.outputs.commit({ vector: new Map([['c1', { term: 1, seq: version }]]), complete: true, upserts });
  };
  change();
  const pems = [authority.rootsPem, key, certificate].map((pem) => Buffer.from(pem));
  const tls = credentials.createSsl(...(pems as [Buffer, Buffer, Buffer]));
  const client = new Client(server.address, tls, { 'grpc.ssl_target_name_override': 'relay.test' });
  const metadata = new Metadata();
  metadata.set(CLUSTER_HEADER, 'c1');
  const agent = new TestAgent('c1');
  reader(agent, client.makeBidiStreamRequest(RELAY_SERVICE.Pull.path, pass, pass, metadata));
  await eventually('it has everything', () => agent.complete && agent.fixture.objects.size === OBJECTS);
  const before = await held();
  let max = 0;
  for (let round = 0; round < ROUNDS; round++) {
    change();
    await turn();
    if (round % 10 === 9) max = Math.max(max, (await held()) - before);
  }
  console.log(`${(ROUNDS * OBJECTS * BYTES) / MIB} MiB changed, at most ${(max / MIB).toFixed(1)} MiB held for them`);
  assert.is(server.relay.sessions().length, 1, 'its stream is open: nothing was given up');
  assert.ok(max < BOUND, `${max} bytes are held`);
  client.close();
});

test.run();
