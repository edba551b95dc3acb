/** `meshctl explain` on files, and what it says of a server that does not answer. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctl } from './support/run.ts';

const FILES = {
  'east.yaml': CLUSTER,
  'config.yaml': `${policy('first', '{ requestTimeout: 5s }')}---\n${policy('second', '{ requestTimeout: 6s, retries: { attempts: 2 } }')}`,
};
const FLEET = ['--cluster', 'east=east.yaml', '--config', 'config.yaml'];

test('a policy, a destination and an object, as text with tables', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, FILES);
  const lost = await meshctl(['explain', 'second', ...FLEET], folder.path);
  assert.equal([lost.code, lost.stderr], [0, '']);
  assert.match(lost.stdout, /^TrafficPolicy meshrelay\/second\n {2}State: {8}CONFLICT\n/);
  assert.match(lost.stdout, 'TrafficPolicy meshrelay/first was accepted earlier');
  const destination = await meshctl(['explain', 'reviews.bookinfo.svc.cluster.local', ...FLEET], folder.path);
  assert.match(destination.stdout, /^Destination bookinfo\/reviews of east\n/);
  assert.match(destination.stdout, /9080 {3}any {8}requestTimeout {3}5000 ms {3}TrafficPolicy meshrelay\/first\n/);
  assert.match(
    destination.stdout,
    /Withheld, or to be known\n {2}POLICY .*\n {2}TrafficPolicy meshrelay\/second {3}CONFLICT/,
  );
  const object = await meshctl(['explain', 'virtualservice/meshrelay-reviews', ...FLEET], folder.path);
  assert.match(object.stdout, /spec\.http\[0\]\.timeout +requestTimeout +any +TrafficPolicy meshrelay\/first\n/);
});

test('the same as data', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, FILES);
  const { stdout } = await meshctl(['explain', 'first', '-o', 'json', ...FLEET], folder.path);
  const document = JSON.parse(stdout) as { about: string; policy: { name: string }; outputs: object[] };
  assert.equal([document.about, document.policy.name, document.outputs.length], ['policy', 'first', 1]);
});

test('a name of nothing: exit 1, and what was perhaps meant', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, FILES);
  const { code, stdout, stderr } = await meshctl(['explain', 'trafficpolicy/frist', ...FLEET], folder.path);
  assert.equal([code, stdout], [1, '']);
  assert.match(
    stderr,
    'error: there is no policy, destination or written object "trafficpolicy/frist"; did you mean TrafficPolicy/_/meshrelay/first?',
  );
});

test('without clusters the server is asked, and one that is not there is named', async () => {
  using folder = temporaryFolder();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.statusCode = 404;
    response.end(JSON.stringify({ error: 'there is none', candidates: [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answered = await meshctl(['explain', 'trafficpolicy/one', '--server', url], folder.path);
  assert.equal([answered.code, answered.stderr], [1, 'error: there is none\n']);
  assert.equal(asked, ['/api/v1/explain/trafficpolicy/one']);
  server.close();
  await once(server, 'close');
  const alone = await meshctl(['explain', 'one', '--server', url], folder.path);
  assert.is(alone.code, 1);
  assert.match(alone.stderr, `error: no server answers at ${url} (ECONNREFUSED); run kubectl port-forward`);
});

test.run();
