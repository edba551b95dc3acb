/**
 * A push over loopback TLS, both ends in this process: CPU per object of a first push, and of a reconnect that finds
 * nothing to send. `node bench/push/run.ts [OBJECTS]`; objects of 1.8 KB.
 */
import process from 'node:process';
import { eventually } from '@meshrelay/testing';
import { Authority } from '../../test/grpc/authority.ts';
import { connection, TestAgent, TestServer } from '../../test/grpc/fixture.ts';
import { envelope, keyOf } from '../../test/link.ts';

const OBJECT_BYTES = 1750;

const objects = Number(process.argv[2] ?? 10_000);
const authority = await Authority.create();
const certificate = await authority.agent('c1');
const agent = new TestAgent('c1');
for (let at = 0; at < objects; at++) agent.table.upsert(envelope(keyOf(at, `n${at}`), 'x', OBJECT_BYTES));
await using server = await TestServer.start(authority);
const fixture = server.fixture('c1');
const wait = { deadline: 120_000 };

const first = connection(server, authority, 'c1', certificate);
await measured('first push', objects, async () => {
  first.push(agent.push());
  await eventually('every object', () => fixture.objects.size === objects, wait);
});
first.close();
const sent = fixture.upserted;
const batches = server.batches.length;
const second = connection(server, authority, 'c1', certificate);
await measured('reconnect, nothing to send', objects, async () => {
  second.push(agent.push());
  await eventually('both kinds to be synced again', () => server.batches.length >= batches + 2, wait);
});
second.close();
console.log(`objects sent again: ${fixture.upserted - sent}`);

async function measured(what: string, count: number, work: () => Promise<unknown>): Promise<void> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000;
  const wall = performance.now() - began;
  console.log(
    `${what.padEnd(28)} ${cpu.toFixed(0)} ms CPU, ${wall.toFixed(0)} ms wall, ${((1000 * cpu) / count).toFixed(1)} us CPU each`,
  );
}
