/** Exported entries arrive unchanged; others are counted. */
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { fileExporter } from '../../src/export/file-exporter.ts';
import { ExportError, type LogExporter, runExport } from '../../src/export/log-exporter.ts';
import { otlpExporter } from '../../src/export/otlp-exporter.ts';
import { streamExporter } from '../../src/export/stream-exporter.ts';
import { request, testSink } from '../support/sinks.ts';

const waiting = { deadline: 60_000 };
const asNumbers = (text: string): number[] =>
  text
    .trim()
    .split('\n')
    .map((line) => Number((JSON.parse(line) as { path: string }).path.slice(1)));

test('lines contain the fields of the entry, and nothing else', async () => {
  const { sink, send } = testSink();
  let written = '';
  const stream = new Writable({
    write(chunk, _, done) {
      written += chunk;
      done();
    },
  });
  const running = runExport(sink.tail({}), streamExporter('stdout', stream));
  send('10.0.0.2', [request('/a\nb', 503, { responseFlags: ['UF'], downstreamRemoteAddress: '10.0.0.1:1' })]);
  await running[Symbol.asyncDispose]();
  assert.equal(JSON.parse(written), {
    time: new Date(1_795_300_000_000).toISOString(),
    cluster: 'cluster-1',
    workload: { name: 'reviews', namespace: 'bookinfo', cluster: 'cluster-1' },
    direction: 'inbound',
    source: { name: 'productpage', namespace: 'bookinfo', cluster: 'cluster-1' },
    destination: { name: 'reviews', namespace: 'bookinfo', cluster: 'cluster-1' },
    address: '10.0.0.2',
    unverifiedNode: { id: 'node-10.0.0.2', cluster: '' },
    logName: 'inbound',
    kind: 'http',
    responseFlags: ['UF'],
    downstreamRemoteAddress: '10.0.0.1:1',
    method: 'GET',
    path: '/a\nb',
    status: 503,
  });
  assert.is(written.split('\n').length, 2, 'one line, whatever the path');
  assert.equal(running.counts, { delivered: 1, lost: 0, dropped: 0, retries: 0, waiting: 0 });
});

test('the exporter waits for a full stream, and the queue drops entries with a count', async () => {
  const { sink, send } = testSink();
  let release = (): void => undefined;
  let lines = 0;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      lines += chunk.toString().split('\n').length - 1;
      release = done;
    },
  });
  const running = runExport(sink.tail({}, { capacity: 10 }), streamExporter('stdout', stream));
  send('10.0.0.1', [request('/0')]);
  await eventually('the first is being written', () => lines === 1, waiting);
  for (let at = 1; at <= 50; at++) send('10.0.0.1', [request(`/${at}`)]);
  assert.equal(running.counts, { delivered: 0, lost: 40, dropped: 0, retries: 0, waiting: 11 });
  release();
  await eventually('the rest is being written', () => lines === 11, waiting);
  release();
  await running[Symbol.asyncDispose]();
  assert.equal(running.counts, { delivered: 11, lost: 40, dropped: 0, retries: 0, waiting: 0 });
});

test('a file is continued and rotated; old ones are kept up to their number', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'access.log');
  const { sink, send } = testSink();
  for (const round of [0, 1]) {
    const tail = sink.tail({});
    const running = runExport(tail, fileExporter({ path, maxBytes: 1_200, maxFiles: 2 }));
    for (let at = 0; at < 6; at++) {
      send('10.0.0.1', [request(`/${round * 6 + at}`)]);
      await eventually('it is written', () => running.counts.delivered === at + 1, waiting);
    }
    await running[Symbol.asyncDispose]();
  }
  assert.equal(readdirSync(folder.path).sort(), ['access.log', 'access.log.1', 'access.log.2']);
  const [newest = '', older = '', oldest = ''] = ['', '.1', '.2'].map((end) => readFileSync(path + end, 'utf8'));
  for (const text of [newest, older, oldest]) assert.ok(Buffer.byteLength(text) <= 1_200, 'no file is larger');
  const retained = [oldest, older, newest].flatMap(asNumbers);
  assert.equal(
    retained,
    Array.from({ length: retained.length }, (_, at) => 12 - retained.length + at),
    'in their order, to the last',
  );
});

test('a failed batch is retried after growing pauses, and then dropped with a count', async () => {
  const { sink, send } = testSink();
  const pauses: number[] = [];
  let fails = 2;
  const exporter: LogExporter = {
    name: 'test',
    async write() {
      if (fails-- > 0) throw new Error('not now');
      return 0;
    },
    async [Symbol.asyncDispose]() {},
  };
  const given: number[] = [];
  const running = runExport(sink.tail({}), exporter, {
    attempts: 3,
    backoff: 100,
    random: () => 1,
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    onDropped: (_, entries) => given.push(entries),
  });
  send('10.0.0.1', [request('/a'), request('/b')]);
  await eventually('they are there', () => running.counts.delivered === 2, waiting);
  assert.equal(pauses, [100, 200]);
  fails = 3;
  send('10.0.0.1', [request('/c')]);
  await eventually('it is given up', () => running.counts.dropped === 1, waiting);
  send('10.0.0.1', [request('/d')]);
  await eventually('the next is there', () => running.counts.delivered === 3, waiting);
  await running[Symbol.asyncDispose]();
  assert.equal(running.counts, { delivered: 3, lost: 0, dropped: 1, retries: 4, waiting: 0 });
  assert.equal(given, [1]);
});

test('a permanently rejected batch is not retried', async () => {
  const { sink, send } = testSink();
  let tries = 0;
  const exporter: LogExporter = {
    name: 'test',
    async write() {
      tries++;
      throw new ExportError('never', { retry: false });
    },
    async [Symbol.asyncDispose]() {},
  };
  const running = runExport(sink.tail({}), exporter);
  send('10.0.0.1', [request('/a')]);
  await eventually('it is given up', () => running.counts.dropped === 1, waiting);
  await running[Symbol.asyncDispose]();
  assert.is(tries, 1);
});

test('OTLP: records arrive in the format of the protocol; 503 is retried, 400 is not, rejected records are counted', async () => {
  const bodies: string[] = [];
  const answers = [503, 200, 400, 200];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      bodies.push(body);
      const last = bodies.length === 4;
      response.writeHead(answers.shift() ?? 500).end(last ? '{"partialSuccess": {"rejectedLogRecords": "1"}}' : '{}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const { sink, send } = testSink();
  const exporter = otlpExporter({ url: `http://127.0.0.1:${port}/v1/logs`, timeout: 60_000 });
  const running = runExport(sink.tail({}), exporter, { sleep: async () => undefined });
  send('10.0.0.2', [request('/a?b=c', 503, { duration: 1.5 })]);
  await eventually('it is there', () => running.counts.delivered === 1, waiting);
  send('10.0.0.2', [request('/x')]);
  await eventually('it is given up', () => running.counts.dropped === 1, waiting);
  send('10.0.0.2', [request('/y'), request('/z')]);
  await eventually('one is refused', () => running.counts.dropped === 2, waiting);
  await running[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  assert.equal(running.counts, { delivered: 2, lost: 0, dropped: 2, retries: 1, waiting: 0 });
  assert.is(bodies[0], bodies[1], 'the same is sent again');
  const { resourceLogs } = JSON.parse(bodies[1] ?? '') as {
    resourceLogs: { resource: { attributes: Attribute[] }; scopeLogs: { logRecords: Record<string, unknown>[] }[] }[];
  };
  const [log] = resourceLogs;
  assert.is(attributes(log?.resource.attributes)['service.name'], 'reviews');
  const record = log?.scopeLogs[0]?.logRecords[0];
  assert.is(record?.['timeUnixNano'], '1795300000000000000');
  assert.is(record?.['severityText'], 'ERROR');
  const said = attributes(record?.['attributes'] as Attribute[]);
  assert.is(said['http.response.status_code'], '503');
  assert.is(said['url.path'], '/a');
  assert.is(said['url.query'], 'b=c');
  assert.is(said['envoy.duration_ms'], 1.5);
  assert.is(said['meshrelay.destination.name'], 'reviews');
});

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };

function attributes(of: readonly Attribute[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(of.map(({ key, value }) => [key, Object.values(value)[0]]));
}

test.run();
