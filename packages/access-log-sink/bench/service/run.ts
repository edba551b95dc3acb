/**
 * Access logs over gRPC: entries for each second of the server's CPU, ours beside a server of grpc-go with go-control-plane's messages that
 * does the same (counts entries and errors, keeps the last 200,000). Linux only. All in one run, taking turns:
 *
 *   (cd bench/service/peer && go mod init peer && go get github.com/envoyproxy/go-control-plane/envoy@v1.40 google.golang.org/grpc@v1.85 && go build -o PEER .)
 *   node bench/service/run.ts PEER [ENTRIES_IN_ALL] [STREAMS]
 */
import { Buffer } from 'node:buffer';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, credentials } from '@grpc/grpc-js';
import { ACCESS_LOG_SERVICE } from '../../src/service/access-log-handlers.ts';
import { alsMessage } from '../../test/support/als-message.ts';
import { entryAt } from '../codec/entry.ts';

const ROUNDS = 5;
const children: ChildProcess[] = [];
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
/** Clock ticks of /proc in a second. */
const TICKS = 100;
const MESSAGES = 100;

const [peer, inAll = '200000', streams = '50'] = process.argv.slice(2);
if (peer === undefined) throw new Error('say where the peer is: run.ts PEER');
const node = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('./server.ts', import.meta.url)),
];
const contenders: ReadonlyArray<
  readonly [name: string, command: readonly string[], env: Readonly<Record<string, string>>]
> = [
  ['grpc-go + go-control-plane', [peer], {}],
  ['the same, GOMAXPROCS=1', [peer], { GOMAXPROCS: '1' }],
  ['sink, all fields to a reader', [...node, 'full'], {}],
  ['sink, what is counted', [...node, 'asked'], {}],
];

for (const each of [1, 50, 100]) {
  const messages = Array.from({ length: MESSAGES }, (_, m) =>
    alsMessage(
      Array.from({ length: each }, (_, e) => entryAt(m * each + e)),
      { node: 'n', logName: 'inbound' },
    ),
  );
  const count = Math.ceil((each === 1 ? Number(inAll) / 5 : Number(inAll)) / each);
  const rates = contenders.map(() => [] as number[]);
  const servers = await Promise.all(contenders.map(([, command, env]) => start(command, env)));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, { child, port }] of servers.entries()) {
      const before = ticks(child);
      await send(port, messages, count);
      // The first round is for the compiler.
      if (round > 0) rates[at]?.push((count * each) / ((ticks(child) - before) / TICKS));
    }
  }
  for (const [at, { child, lines }] of servers.entries()) {
    child.kill('SIGTERM');
    const received = Number((await lines.next()).value);
    const sent = count * each * (ROUNDS + 1);
    if (received !== sent) throw new Error(`${contenders[at]?.[0]}: ${sent} entries were sent, ${received} received`);
    const median = rates[at]?.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
    console.log(
      `${`${each}`.padStart(3)} entries a message  ${contenders[at]?.[0].padEnd(30)} ${Math.round(median).toLocaleString('en').padStart(10)} entries/cpu-s`,
    );
  }
}

async function start(command: readonly string[], env: Readonly<Record<string, string>>) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, lines, port: Number((await lines.next()).value) };
}

/** User and system time of a process. */
function ticks({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Sends so many messages over the streams; resolves when the server has answered each of them, and so taken everything. */
async function send(port: number, messages: readonly Buffer[], count: number): Promise<void> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const pass = (bytes: Buffer): Buffer => bytes;
  const open = Number(streams);
  await Promise.all(
    Array.from({ length: open }, async (_, stream) => {
      const answered = Promise.withResolvers<void>();
      const call = client.makeClientStreamRequest(
        ACCESS_LOG_SERVICE.streamAccessLogs.path,
        pass,
        Buffer.from,
        (error) => (error === null ? answered.resolve() : answered.reject(error)),
      );
      for (let at = stream; at < count; at += open)
        if (!call.write(messages[at % messages.length] as Buffer)) await once(call, 'drain');
      call.end();
      await answered.promise;
    }),
  );
  client.close();
}
