/** `meshctl plan`: two fleets from files, their differences, and the exit code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { PlanDocument } from '@meshrelay/relay-core';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctlHere, type Result } from './support/run.ts';

const folder = temporaryFolder();
process.on('exit', () => folder[Symbol.dispose]());
writeFiles(folder.path, {
  'east.yaml': CLUSTER,
  'east-later.yaml': CLUSTER.replaceAll('name: reviews, namespace', 'name: ratings, namespace'),
  'west.yaml': CLUSTER,
  'config.yaml': policy('slow', '{ requestTimeout: 5s }'),
  'slower.yaml': policy('slow', '{ requestTimeout: 6s }'),
  'a-conflict.yaml': policy('a-conflict', '{ requestTimeout: 1s }'),
  'wrong.yaml': policy('wrong', '{ retries: { attempts: -1 } }'),
  'none.yaml': '',
});

const plan = (...args: readonly string[]): Promise<Result> =>
  meshctlHere(['plan', '--cluster', 'east=east.yaml', '--config', 'config.yaml', ...args], folder.path);

async function planned(...args: readonly string[]): Promise<PlanDocument> {
  const { code, stdout, stderr } = await plan(...args, '-o', 'json');
  assert.is(code, 2, stderr);
  return JSON.parse(stdout) as PlanDocument;
}

test('without a change: 0', async () => {
  const { code, stdout } = await plan('--apply', 'config.yaml');
  assert.equal([code, stdout], [0, 'nothing would change\n']);
  assert.is((await plan('--after-cluster', 'east=east.yaml')).code, 0);
});

test('a policy applied over another of its name: 2, with the field that changes', async () => {
  const { code, stdout } = await plan('--apply', 'slower.yaml');
  assert.is(code, 2);
  assert.is(
    stdout,
    `1 cluster, 1 destination: 0 to create, 1 to change, 0 to delete

Policies
  POLICY                         CHANGE    STATE
  TrafficPolicy meshrelay/slow   changed   ACCEPTED

east: 0 to create, 1 to change, 0 to delete
  ~ VirtualService bookinfo/meshrelay-reviews   because of TrafficPolicy meshrelay/slow
      ~ spec.http[0].timeout: "5s" -> "6s"

Affected destinations
  DESTINATION                            IN CLUSTERS
  Destination bookinfo/reviews of east   east
`,
  );
});

test('policies that were accepted before keep their order, independent of names', async () => {
  const { clusters, policies } = await planned('--apply', 'a-conflict.yaml');
  assert.equal(clusters, []);
  assert.equal(
    policies.map(({ policy: { name }, change, after }) => [name, change, after]),
    [['a-conflict', 'created', 'CONFLICT']],
  );
});

test('another configuration replaces the previous one', async () => {
  const { blastRadius, policies } = await planned('--after-config', 'a-conflict.yaml');
  assert.equal(blastRadius, { clusters: 1, destinations: 1, created: 0, changed: 1, deleted: 0 });
  assert.equal(
    policies.map(({ policy: { name }, change }) => [name, change]),
    [
      ['a-conflict', 'created'],
      ['slow', 'deleted'],
    ],
  );
  const emptied = await planned('--after-config', 'none.yaml');
  assert.equal([emptied.blastRadius.deleted, emptied.clusters[0]?.objects[0]?.kind], [1, 'VirtualService']);
});

test('a cluster with other objects, a new one, and a deleted one', async () => {
  const other = await planned('--after-cluster', 'east=east-later.yaml');
  assert.equal(
    other.clusters.map(({ cluster, created, deleted }) => [cluster, created, deleted]),
    [['east', 1, 1]],
  );
  const more = await planned('--after-cluster', 'west=west.yaml');
  assert.equal(
    more.clusters.map(({ cluster, created }) => [cluster, created]),
    [['west', 1]],
  );
  const { code, stdout } = await plan('--cluster', 'west=west.yaml', '--without-cluster', 'west');
  assert.is(code, 2);
  assert.match(stdout, '- VirtualService bookinfo/meshrelay-reviews');
});

test('a policy that is not accepted is reported, with the reason', async () => {
  const { code, stdout } = await plan('--apply', 'wrong.yaml');
  assert.is(code, 2);
  assert.match(stdout, /^1 policy: 1 to create, 0 to change, 0 to delete; no object would change\n/);
  assert.match(stdout, 'TrafficPolicy meshrelay/wrong: spec.policy.retries.attempts must be at least 0, got -1');
});

test('invalid input: 1, and the option that contains it', async () => {
  writeFileSync(join(folder.path, 'broken.yaml'), 'kind: [');
  const cases: ReadonlyArray<[args: readonly string[], message: string | RegExp]> = [
    [[], 'error: no change was given; add --apply'],
    [['--apply', 'broken.yaml'], /error: broken\.yaml:1/],
    [['--after-cluster', 'north'], 'error: --after-cluster north: expected NAME=PATH'],
    [
      ['--without-cluster', 'north'],
      'error: --without-cluster north: no such cluster before the change; choose one of east',
    ],
    [['--without-cluster', 'east', '--after-cluster', 'east=east.yaml'], '--without-cluster names it, too'],
    [['--after-settings', 'wrong.yaml'], 'error: --after-settings wrong.yaml: expected Settings objects'],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await plan(...args);
    assert.equal([code, stdout], [1, ''], stderr);
    assert.match(stderr, message);
  }
});

test.run();
