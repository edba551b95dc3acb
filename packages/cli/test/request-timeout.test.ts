/**
 * Servers that accept a connection and do not answer, or never finish: each request of meshctl times out with a
 * message.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { openStream } from '../src/server/call-server.ts';
import { leaves } from './support/commands.ts';
import { meshctlHere } from './support/run.ts';

interface Served extends AsyncDisposable {
  readonly url: string;
}

async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const silent: RequestListener = () => undefined;
const endless: RequestListener = (_, response) => void response.writeHead(200).write('{"entries": [');

for (const [what, listener] of [
  ['does not answer', silent],
  ['does not finish its answer', endless],
] as const)
  test(`a server that ${what} does not hang meshctl`, async () => {
    await using server = await serve(listener);
    for (const args of [['explain', 'one'], ['logs'], ['top'], ['top', '-w']]) {
      const { code, stdout, stderr } = await meshctlHere(
        [...args, '--server', server.url, '--request-timeout', '50ms'],
        '.',
      );
      assert.equal([code, stdout], [1, ''], args.join(' '));
      assert.match(
        stderr,
        `error: ${server.url} did not answer within 0.05 s; check that server, or wait longer with --request-timeout`,
      );
    }
  });

test('a stream whose beginning does not arrive times out, too', async () => {
  await using server = await serve(silent);
  const { code, stderr } = await meshctlHere(['logs', '-f', '--server', server.url, '--request-timeout', '50ms'], '.');
  assert.is(code, 1);
  assert.match(stderr, 'did not answer within 0.05 s');
});

test('a stream without data breaks off, and an active one does not', async () => {
  const beats: RequestListener = (_, response) => {
    response.writeHead(200).write('1');
    const beat = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(beat));
  };
  const read = async (listener: RequestListener, bytes: number): Promise<string> => {
    await using server = await serve(listener);
    const stream = await openStream({ server: server.url, timeout: 10_000 }, '/', 300);
    assert.instance(stream, ReadableStream);
    let text = '';
    for await (const part of (stream as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.length >= bytes) return text;
    }
    return text;
  };
  assert.match(await read(beats, 40), /^1\.{39,}$/);
  const broken = await read(endless, 100).then(
    () => undefined,
    (error: Error) => error.message,
  );
  assert.is(broken, 'no data arrived for 0.3 s');
});

test('an API server that does not answer does not hang meshctl', async () => {
  await using server = await serve(silent);
  using folder = temporaryFolder();
  const file = join(folder.path, 'kubeconfig');
  const cluster = { server: server.url, 'insecure-skip-tls-verify': true };
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'a',
      clusters: [{ name: 'a', cluster }],
      users: [{ name: 'a', user: { token: 'x' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    }),
  );
  for (const args of [['cluster', 'list'], ['check'], ['describe', 'mesh', 'one'], ['token', 'list'], ['pause']]) {
    const { code, stdout, stderr } = await meshctlHere(
      [...args, '--mgmt-kubeconfig', file, '--request-timeout', '50ms'],
      folder.path,
    );
    assert.equal([code, stdout], [1, ''], args.join(' '));
    assert.match(stderr, 'no answer (none within 0.05 s)');
  }
});

test('every command that calls a server has the option, and rejects a timeout of 0', async () => {
  const asks = leaves().filter(({ command }) =>
    command.options.some(({ long }) => long === '--server-token' || long === '--mgmt-kubeconfig'),
  );
  assert.ok(asks.length > 15, 'commands were looked at');
  const without = asks.filter(({ command }) => !command.options.some(({ long }) => long === '--request-timeout'));
  assert.equal(
    without.map(({ name }) => name),
    [],
  );
  const { code, stderr } = await meshctlHere(['cluster', 'list', '--request-timeout', '0s'], '.');
  assert.equal([code, stderr.includes('Expected a duration above 0')], [1, true]);
});

test.run();
