/** `meshctl explain` on files, and its errors for a server that does not answer. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { explain } from '@meshrelay/relay-core';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { explainText } from '../src/explain/explain-text.ts';
import { explainByServer } from '../src/explain/server.ts';
import { fleetFrom } from '../src/offline/fleet-from.ts';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctlHere } from './support/run.ts';

const FILES = {
  'east.yaml': CLUSTER,
  'config.yaml': `${policy('first', '{ requestTimeout: 5s }')}---\n${policy('second', '{ requestTimeout: 6s, retries: { attempts: 2 } }')}`,
};

const folder = temporaryFolder();
process.on('exit', () => folder[Symbol.dispose]());
writeFiles(folder.path, FILES);
const fleet = await fleetFrom({
  cluster: [`east=${join(folder.path, 'east.yaml')}`],
  config: [join(folder.path, 'config.yaml')],
  plugin: [],
  namespace: 'meshrelay',
});

function text(object: string): string {
  const answer = explain(fleet, object);
  return 'document' in answer ? explainText(answer.document) : answer.message;
}

test('a policy that lost', () => {
  assert.match(text('second'), /^TrafficPolicy meshrelay\/second\n {2}State: {8}CONFLICT\n/);
  assert.match(text('second'), 'TrafficPolicy meshrelay/first was accepted earlier');
});

test('a destination', () => {
  const lines = text('reviews.bookinfo.svc.cluster.local');
  assert.match(lines, /^Destination bookinfo\/reviews of east\n/);
  assert.match(lines, /9080 {3}any {8}requestTimeout {3}5000 ms {3}TrafficPolicy meshrelay\/first\n/);
  assert.match(lines, /Not applied, and notes\n {2}TrafficPolicy meshrelay\/second\n {4}error CONFLICT at /);
});

test('an object', () => {
  const lines = text('virtualservice/meshrelay-reviews');
  assert.match(lines, /spec\.http\[0\]\.timeout +requestTimeout +any +TrafficPolicy meshrelay\/first\n/);
});

test('the program: data, and a suggestion', async () => {
  const where = ['--cluster', 'east=east.yaml', '--config', 'config.yaml'];
  const found = await meshctlHere(['explain', 'first', '-o', 'json', ...where], folder.path);
  const document = JSON.parse(found.stdout) as { about: string; policy: { name: string }; outputs: object[] };
  assert.equal([document.about, document.policy.name, document.outputs.length], ['policy', 'first', 1]);
  const { code, stdout, stderr } = await meshctlHere(['explain', 'trafficpolicy/frist', ...where], folder.path);
  assert.equal([code, stdout], [1, '']);
  assert.match(
    stderr,
    'error: no policy, destination or generated object "trafficpolicy/frist" found; did you mean TrafficPolicy/_/meshrelay/first?',
  );
});

test('a server that requires authentication gets the token of a file', async () => {
  const requested: Array<string | undefined> = [];
  const server = createServer(({ headers }, response) => {
    requested.push(headers.authorization);
    response.writeHead(401).end(JSON.stringify({ error: 'this API requires authentication' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = join(folder.path, 'token');
  writeFileSync(file, 'abc\n');
  for (const tokenFile of [undefined, file])
    await explainByServer({ server: url, tokenFile, timeout: 10_000 }, 'one').then(
      () => assert.unreachable(),
      ({ message }: Error) =>
        assert.match(message, 'denies the request: this API requires authentication; give a token'),
    );
  assert.equal(requested, [undefined, 'Bearer abc']);
  server.close();
  await once(server, 'close');
  const missing = await meshctlHere(['explain', 'one', '--server', url, '--server-token', 'nowhere'], folder.path);
  assert.match(missing.stderr, 'error: --server-token nowhere: cannot be read: ENOENT');
});

test('without clusters it calls the server, and names one that does not answer', async () => {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.statusCode = 404;
    response.end(JSON.stringify({ error: 'not found', candidates: [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.equal(await explainByServer({ server: url, timeout: 10_000 }, 'trafficpolicy/one'), {
    problem: 'NOT_FOUND',
    message: 'not found',
    candidates: [],
  });
  assert.equal(requested, ['/api/v1/explain/trafficpolicy/one']);
  server.close();
  await once(server, 'close');
  const alone = await meshctlHere(['explain', 'one', '--server', url], folder.path);
  assert.is(alone.code, 1);
  const nonsense = await meshctlHere(['explain', 'one', '--server', 'localhost:8090'], folder.path);
  assert.match(nonsense.stderr, 'error: --server localhost:8090: expected a URL, such as http://127.0.0.1:8090\n');
  assert.match(alone.stderr, `error: no server answers at ${url} (ECONNREFUSED); run kubectl port-forward`);
});

test.run();
