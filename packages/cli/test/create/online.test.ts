/** `meshctl create` with a management cluster: the plan of the fleet that it publishes, and the created object. */
import type { KubeObject } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import { CHANGED_BY_ANNOTATION } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { NAMESPACE } from '../support/clusters.ts';
import { createHere } from '../support/create-here.ts';
import { publishedFleet } from '../support/published-fleet.ts';
import type { Result } from '../support/run-here.ts';
import { CLUSTERS, MANAGEMENT } from '../support/sample-fleet.ts';

const management = await publishedFleet();
test.after(async () => await management[Symbol.asyncDispose]());

const FILES = [...CLUSTERS.flatMap((cluster) => ['--cluster', cluster]), '--config', MANAGEMENT];

const POLICY = [
  ...['trafficpolicy', 'reviews-canary', '--destination', 'cluster-1/bookshop/reviews'],
  ...['--shift', '90=cluster-1/bookshop/reviews,version=v1', '--shift', '10=cluster-1/bookshop/reviews,version=v2'],
];

const create = (...args: readonly string[]): Promise<Result> =>
  createHere([...args, '--mgmt-kubeconfig', management.kubeconfig], management.folder);
const stored = (name: string) =>
  management.connection.objects(meshrelayKind('TrafficPolicy')).read({ namespace: NAMESPACE, name });

test('the plan from published objects is that from the files of the clusters', async () => {
  const offline = await createHere([...POLICY, ...FILES, '-o', 'yaml'], management.folder);
  const online = await create(...POLICY, '-o', 'yaml');
  assert.equal([offline.code, online.code], [0, 0], online.stderr);
  assert.is(
    online.stderr,
    `${offline.stderr}the plan does not consider policies and mesh objects that only the workload clusters have; the status of the policy will\n`,
  );
  assert.is(online.stdout, offline.stdout);
  assert.is(await stored('reviews-canary'), undefined);
});

test('--apply creates the object, with the requester; a second one of the name is refused', async () => {
  const { code, stdout, stderr } = await create(...POLICY, '--apply');
  assert.is(code, 0, stderr);
  assert.is(
    stdout,
    'TrafficPolicy meshrelay/reviews-canary is created; meshctl describe policy meshrelay/reviews-canary shows its state\n',
  );
  const object = await stored('reviews-canary');
  assert.equal(
    object?.spec,
    (parse((await createHere([...POLICY, ...FILES, '-o', 'yaml'], management.folder)).stdout) as KubeObject).spec,
  );
  assert.ok(object?.metadata.annotations?.[CHANGED_BY_ANNOTATION]);
  const again = await create(...POLICY, '--apply');
  assert.equal([again.code, again.stdout], [1, '']);
  assert.match(again.stderr, /^error: TrafficPolicy meshrelay\/reviews-canary exists; choose another name/);
});

test('another policy with the same field would be in conflict, by the order of acceptance: 2', async () => {
  await create(...POLICY, '--apply');
  const { code, stderr } = await create(
    ...['trafficpolicy', 'a-later-one', '--destination', 'cluster-1/bookshop/reviews', '-o', 'yaml'],
    ...['--shift', '1=cluster-1/bookshop/reviews,version=v1'],
  );
  assert.is(code, 2, stderr);
  assert.match(stderr, 'TrafficPolicy meshrelay/a-later-one   created   CONFLICT');
});

test('a namespace that does not exist: the message of the API server, and nothing is created', async () => {
  const [, , ...rest] = POLICY;
  const { code, stdout, stderr } = await create('trafficpolicy', 'nowhere/reviews', ...rest, '--apply');
  assert.equal([code, stdout], [1, '']);
  assert.match(stderr, /error: .*nowhere/);
});

test.run();
