/** `meshctl logs` and `meshctl top` with a fake server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { parse, parseAllDocuments } from 'yaml';
import { plain } from '../../src/output/plain.ts';
import { meshctlHere, type Result } from '../support/run.ts';

const folder = temporaryFolder();
process.on('exit', () => folder[Symbol.dispose]());

const reviews = { name: 'reviews', namespace: 'bookinfo', cluster: 'east' };
const web = { name: 'web', namespace: 'shop', cluster: 'west' };
const entry = (path: string, more: object = {}) => ({
  time: '2026-01-01T00:00:00.000Z',
  cluster: 'east',
  workload: reviews,
  direction: 'inbound',
  source: web,
  destination: reviews,
  kind: 'http',
  method: 'GET',
  path,
  status: 503,
  duration: 12.34,
  responseFlags: ['UF'],
  ...more,
});

class Played implements AsyncDisposable {
  readonly requested: string[] = [];
  readonly url: string;
  readonly #server;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(answer: (response: ServerResponse, requested: URL) => void): Promise<Played> {
    const server = createServer((request: IncomingMessage, response) => {
      played.requested.push(request.url ?? '');
      answer(response, new URL(request.url ?? '', 'http://played'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const played: Played = new Played(server);
    return played;
  }

  run(...args: string[]): Promise<Result> {
    return meshctlHere([...args, '--server', this.url], folder.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const answering = (body: object, status = 200): Promise<Played> =>
  Played.start((response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );

const FOUND = { entries: [], more: false, lost: 0, clusters: [{ cluster: 'east', replicas: [{ replica: 'a' }] }] };

test('an entry from an address of no known pod is marked: any client may have sent it', async () => {
  const forged = entry('/forged', { workload: undefined, address: '10.9.8.7', responseFlags: undefined });
  await using played = await answering({
    ...FOUND,
    entries: [entry('/a'), forged, { ...forged, responseFlags: ['UF'] }],
  });
  const { stdout } = await played.run('logs');
  const [, true_, ...marked] = stdout.trimEnd().split('\n');
  assert.not.match(true_ ?? '', 'no known pod');
  assert.is(marked.length, 2);
  for (const line of marked) assert.match(line, /GET \/forged.* {2}! from 10\.9\.8\.7, no known pod$/);
});

test('entries are columns, and the URL contains all options', async () => {
  await using played = await answering({
    ...FOUND,
    entries: [entry('/a'), entry('/long', { status: 200, kind: 'http', responseFlags: undefined })],
  });
  const args = [
    '--workload',
    'reviews.bookinfo',
    '--cluster',
    'east',
    '--cluster',
    'west',
    '--status',
    '>=500',
    '--path',
    '/api',
    '--limit',
    '7',
  ];
  const { code, stdout, stderr } = await played.run('logs', ...args);
  assert.equal(
    stdout.split('\n').map((line) => line.split(/ {2,}/)),
    [
      ['TIME', 'CLUSTER', 'SOURCE', 'DESTINATION', 'STATUS', 'DURATION', 'REQUEST'],
      ['2026-01-01T00:00:00.000Z', 'east', 'web.shop.west', 'reviews.bookinfo', '503', '12ms', 'GET /a', 'UF'],
      ['2026-01-01T00:00:00.000Z', 'east', 'web.shop.west', 'reviews.bookinfo', '200', '12ms', 'GET /long'],
      [''],
    ],
  );
  assert.equal([code, stderr], [0, '']);
  const requested = new URL(played.requested[0] ?? '', 'http://x').searchParams;
  assert.equal(
    [...requested],
    [
      ['cluster', 'east'],
      ['cluster', 'west'],
      ['workload', 'reviews.bookinfo'],
      ['status', '>=500'],
      ['path', '/api*'],
      ['limit', '7'],
    ],
  );
});

test('lines of JSON are the server’s entries unchanged', async () => {
  await using played = await answering({ ...FOUND, entries: [entry('/a')] });
  const { stdout } = await played.run('logs', '-o', 'json', '--since', '10m');
  assert.equal(JSON.parse(stdout), entry('/a'));
  const since = Date.parse(new URL(played.requested[0] ?? '', 'http://x').searchParams.get('since') ?? '');
  assert.ok(Math.abs(Date.now() - 600_000 - since) < 300_000);
});

test('documents of YAML are the same, one for each entry', async () => {
  await using played = await answering({ ...FOUND, entries: [entry('/a'), entry('/b')] });
  const { stdout } = await played.run('logs', '-o', 'yaml');
  assert.equal(
    parseAllDocuments(stdout).map((document) => document.toJS()),
    [entry('/a'), entry('/b')],
  );
});

test('a missing answer is reported, and makes the exit code 2', async () => {
  const clusters = [
    { cluster: 'east', replicas: [{ replica: 'a' }, { replica: 'b', problem: 'connect ECONNREFUSED' }] },
    {
      cluster: 'west',
      problem: 'the agent of west is connected to replica s-1 of the server; call that replica',
      connectedTo: 's-1',
    },
  ];
  await using played = await answering({ ...FOUND, entries: [entry('/a')], more: true, lost: 2, clusters });
  const { code, stderr } = await played.run('logs');
  assert.is(code, 2);
  assert.equal(stderr.split('\n'), [
    'more entries match than this one; shorten the time, name one workload, or raise --limit',
    '2 more were too large to be shown',
    'east: replica b did not answer, so its entries are missing: connect ECONNREFUSED',
    'west: the agent of west is connected to replica s-1 of the server; call that replica',
    '',
  ]);
});

test('an empty result is reported; an invalid request or missing permission is an error', async () => {
  {
    await using nothing = await answering(FOUND);
    const { code, stdout, stderr } = await nothing.run('logs');
    assert.equal([code, stdout], [0, '']);
    assert.match(stderr, 'no entry matches; docs/concepts/observability.md');
  }
  {
    await using refusing = await answering({ error: 'status: expected 503, found abc' }, 400);
    const { code, stderr } = await refusing.run('logs', '--status', 'abc');
    assert.equal([code, stderr], [1, 'error: status: expected 503, found abc\n']);
  }
  await using closed = await answering({ error: 'user x may not' }, 403);
  const { code, stderr } = await closed.run('top');
  assert.is(code, 1);
  assert.match(stderr, 'denies the request: user x may not; give a token with read access with --server-token FILE');
});

test('text from clients does not control the terminal', async () => {
  assert.is(plain('a\u001b[31mb\nc\u202ed\u0085'), 'a\\u001b[31mb\\u000ac\\u202ed\\u0085');
  await using played = await answering({ ...FOUND, entries: [entry('/\u001b]0;owned\u0007')] });
  const { stdout } = await played.run('logs');
  assert.not.match(stdout, '\u001b');
  assert.match(stdout, '/\\u001b]0;owned\\u0007');
});

/** The program, following. */
class Following implements AsyncDisposable {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  constructor(url: string, ...args: string[]) {
    this.#child = spawn(process.execPath, [builtProgram('meshctl'), 'logs', '-f', '--server', url, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  get paths(): unknown[] {
    return this.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { path: string }).path);
  }

  async until(what: string, probe: (following: this) => boolean): Promise<void> {
    await eventually(what, () => probe(this), { deadline: 120_000, seen: () => [this.stdout, this.stderr] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    if (this.#child.exitCode !== null) return;
    this.#child.kill();
    await ended;
  }
}

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

test('following continues across streams that end, repeats no entry, and reports gaps', async () => {
  let streams = 0;
  await using played = await Played.start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (++streams === 1) {
      response.write(event('cluster', { cluster: 'east', replicas: [{ replica: 'a' }] }));
      response.write(event('entries', { cluster: 'east', entries: [entry('/1'), entry('/2')] }));
      response.write(event('entries', { cluster: 'east', entries: [entry('/3')], lost: 5 }));
      response.write(
        event('cluster', { cluster: 'east', replicas: [{ replica: 'b', problem: 'the answer broke off' }] }),
      );
      response.end(event('cluster', { cluster: 'east', replicas: [{ replica: 'a', dropped: 9 }] }));
    } else {
      response.write(event('entries', { cluster: 'east', entries: [entry('/3'), entry('/4')] }));
      response.write(event('cluster', { cluster: 'east', replicas: [{ replica: 'b' }] }));
      response.write(event('cluster', { cluster: 'east', replicas: [{ replica: 'b', gone: true }] }));
      // Broken, not ended.
      if (streams === 2) setTimeout(() => response.destroy(), 100);
    }
  });
  await using following = new Following(played.url, '-o', 'json', '--limit', '5');
  await following.until('a third stream', () => streams === 3);
  assert.equal(following.paths, ['/1', '/2', '/3', '/4']);
  for (const said of [
    'east: 5 entries were dropped: entries arrive faster than they are read; add filters\n',
    'east: replica b does not answer: the answer broke off\n',
    'east: replica a dropped 9 entries',
    'east: replica b answers again',
    'east: replica b has stopped; entries that it had not sent are lost\n',
    'the stream failed',
  ])
    assert.match(following.stderr, said);
  const [first, second] = played.requested.map((url) => new URL(url, 'http://x').searchParams);
  assert.equal([first?.get('limit'), first?.get('since')], ['5', null]);
  assert.is(second?.get('limit'), null);
  assert.ok(Date.parse(second?.get('since') ?? '') < Date.now(), 'what was logged meanwhile is asked for');
});

const flow = { requests: 12.4, success: 0.9995, connections: 0, p50: 3.25, p90: 20, p99: 250 };

test('top shows workloads and edges, and the traffic outside them', async () => {
  const traffic = {
    edges: [
      { source: web, destination: reviews, reporter: 'source', ...flow },
      { destination: reviews, reporter: 'destination', requests: 0, connections: 2 },
    ],
    workloads: [{ workload: reviews, ...flow }],
    more: true,
    overflowed: 3,
    misattributed: 1,
    clusters: [{ cluster: 'west', problem: 'the agent of west is not connected' }],
  };
  await using played = await answering(traffic);
  const { code, stdout, stderr } = await played.run('top', '--namespace', 'bookinfo', '--workload', 'reviews');
  assert.equal(
    stdout.split('\n').map((line) => line.split(/ {3,}/)),
    [
      ['WORKLOAD', 'REQ/S', 'SUCCESS', 'P50', 'P90', 'P99', 'CONN/S'],
      ['reviews.bookinfo.east', '12', '99.9%', '3.3ms', '20ms', '250ms', '-'],
      [''],
      ['SOURCE', 'DESTINATION', 'REQ/S', 'SUCCESS', 'P50', 'P90', 'P99', 'CONN/S'],
      ['web.shop.west', 'reviews.bookinfo.east', '12', '99.9%', '3.3ms', '20ms', '250ms', '-'],
      ['unknown', 'reviews.bookinfo.east', '-', '-', '-', '-', '-', '2.00'],
      [''],
      ['not all edges are shown; raise --limit, or name a namespace or a workload'],
      ['3 edges and calls exceed the limit and are not counted'],
      ['1 edges name another cluster and are not counted'],
      [''],
    ],
  );
  assert.equal([code, stderr], [2, 'west: the agent of west is not connected\n']);
  assert.is(played.requested[0], '/api/v1/traffic?limit=50&namespace=bookinfo&workload=reviews');
  const json = await played.run('top', '-o', 'json');
  assert.equal(JSON.parse(json.stdout), traffic);
  assert.equal(parse((await played.run('top', '-o', 'yaml')).stdout), traffic);
});

test('top without traffic prints a message', async () => {
  await using played = await answering({
    edges: [],
    workloads: [],
    more: false,
    overflowed: 0,
    misattributed: 0,
    clusters: [],
  });
  assert.is((await played.run('top')).stdout, 'no calls in the last seconds\n');
});

test.run();
