/** `meshctl create` in a pseudo-terminal: questions, answers that are asked again, the same call by flags, and the end. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { meshrelayKind } from '@meshrelay/kube';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { createHere } from '../support/create-here.ts';
import { publishedFleet } from '../support/published-fleet.ts';
import { CLUSTERS, MANAGEMENT } from '../support/sample-fleet.ts';
import { CTRL_C, CTRL_D, CTRL_U, DOWN, ENTER, inTerminal, type Screen, type Step, TAB } from '../support/terminal.ts';

const FLEET = [...CLUSTERS.flatMap((cluster) => ['--cluster', cluster]), '--config', MANAGEMENT];

const folder = temporaryFolder();
process.on('exit', () => folder[Symbol.dispose]());

const create = (kind: string, ...steps: readonly Step[]): Promise<Screen> =>
  inTerminal(['create', kind, ...FLEET], folder.path, steps);

/** The object that the printed call with flags prints. */
async function byFlags({ screen }: Screen): Promise<unknown> {
  const [, call = ''] = /^ {2}meshctl create (.*)$/m.exec(screen) ?? [];
  const words = call.replace(/ (?:--out \S+|-o yaml)$/, '').split(' ');
  const { code, stdout, stderr } = await createHere([...words, '-o', 'json'], folder.path);
  assert.ok(code === 0 || code === 2, `${call}: ${stderr}`);
  return JSON.parse(stdout);
}

const written = (name: string): unknown => parse(readFileSync(join(folder.path, name), 'utf8'));

/** The questions about what to do with the object. */
const toFile = (name: string): readonly Step[] => [
  ['What now?', ENTER],
  ['Which file?', `${name}${ENTER}`],
];

test('a TrafficPolicy: names are picked, a bad answer is explained and asked again', async () => {
  const screen = await create(
    'trafficpolicy',
    ['What is the name of the TrafficPolicy?', `Bad Name${ENTER}`],
    ['use lower-case letters', `${CTRL_U}reviews-canary${ENTER}`],
    ['Requests to which Services?', ENTER],
    ['select at least one', 'cluster-1/bookshop/rev'],
    ['1 match', `${TAB}${ENTER}`],
    ['Only requests of these workloads', ENTER],
    ['path begins with', `reviews${ENTER}`],
    ['must be a path such as /reviews', `${CTRL_U}/reviews${ENTER}`],
    ['What happens to these requests?', 'timeout'],
    ['1 match', TAB],
    ['select', `${CTRL_U}share`],
    ['1 match', `${TAB}${ENTER}`],
    ['How long may a request take', `soon${ENTER}`],
    ['must be a duration', `${CTRL_U}3s${ENTER}`],
    ['Which versions or Services share the requests?', `${TAB}${DOWN}${TAB}${ENTER}`],
    ['Which weight has cluster-1/bookshop/reviews,version=v1?', `90${ENTER}`],
    ['Which weight has cluster-1/bookshop/reviews,version=v2?', `10${ENTER}`],
    ['TrafficPolicy meshrelay/reviews-canary   created   ACCEPTED', ''],
    ...toFile('canary.yaml'),
    ['TrafficPolicy meshrelay/reviews-canary is in canary.yaml', ''],
  );
  assert.is(screen.code, 0, screen.screen);
  const reviews = { name: 'reviews', namespace: 'bookshop', clusterName: 'cluster-1' };
  assert.equal(written('canary.yaml'), {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'reviews-canary', namespace: 'meshrelay' },
    spec: {
      destinationSelector: [{ kubeServiceRefs: { services: [reviews] } }],
      httpRequestMatchers: [{ uri: { prefix: '/reviews' } }],
      policy: {
        trafficShift: {
          destinations: [
            { weight: 90, kubeService: { ...reviews, subset: { version: 'v1' } } },
            { weight: 10, kubeService: { ...reviews, subset: { version: 'v2' } } },
          ],
        },
        requestTimeout: '3s',
      },
    },
  });
  assert.equal(await byFlags(screen), written('canary.yaml'));
});

test('an AccessPolicy', async () => {
  const screen = await create(
    'accesspolicy',
    ['What is the name of the AccessPolicy?', `reads${ENTER}`],
    ['Who calls?', 'cluster-1/bookshop/storefront'],
    ['1 match', `${TAB}${ENTER}`],
    ['Which Services are called?', `${TAB}${DOWN}${TAB}${ENTER}`],
    ['the first entry means all', ''],
    ['Which Services are called?', 'cluster-1/bookshop/reviews'],
    ['1 match', `${TAB}${ENTER}`],
    ['What happens to these requests?', ENTER],
    ['Only these methods', `GET, FETCH${ENTER}`],
    ['must be an HTTP method', `${CTRL_U}GET, HEAD${ENTER}`],
    ['Only these paths', ENTER],
    ...toFile('reads.yaml'),
    ['AccessPolicy meshrelay/reads is in reads.yaml', ''],
  );
  const { spec } = written('reads.yaml') as { readonly spec: object };
  assert.equal(Object.keys(spec), ['sourceSelector', 'destinationSelector', 'allowedMethods']);
  assert.equal(await byFlags(screen), written('reads.yaml'));
});

test('a VirtualDestination, printed on stdout', async () => {
  const screen = await create(
    'virtualdestination',
    ['What is the name of the VirtualDestination?', `reviews${ENTER}`],
    ['Which Services are the backends', 'bookshop/rev'],
    ['2 matches', `${TAB}${DOWN}${TAB}${ENTER}`],
    ['Which backend do callers use?', `${DOWN}${ENTER}`],
    ['Which host name do callers use?', ENTER],
    ['Which port do callers use?', `${CTRL_U}80${ENTER}`],
    ['Which protocol does the port have?', ENTER],
    ['Which port of the backends receives the requests?', ENTER],
    ['Which meshes can call it?', ENTER],
    ['What now?', `${DOWN}${ENTER}`],
    ['kind: VirtualDestination', ''],
  );
  assert.equal(((await byFlags(screen)) as { readonly spec: unknown }).spec, {
    hostname: 'reviews.global',
    port: { number: 80, protocol: 'HTTP', targetNumber: 8080 },
    virtualMesh: { name: 'bookshop', namespace: 'meshrelay' },
    static: {
      destinations: ['cluster-1', 'cluster-2'].map((clusterName) => ({
        kubeService: { name: 'reviews', namespace: 'bookshop', clusterName },
      })),
    },
  });
});

test('a VirtualMesh of the management cluster is created in it', async () => {
  await using management = await publishedFleet();
  await management.connection
    .objects(meshrelayKind('VirtualMesh'))
    .delete({ namespace: 'meshrelay', name: 'bookshop' });
  const { code, screen } = await inTerminal(
    ['create', 'virtualmesh', '--mgmt-kubeconfig', management.kubeconfig],
    folder.path,
    [
      ['What is the name of the VirtualMesh?', `library${ENTER}`],
      ['VirtualMesh meshrelay/library exists', `${CTRL_U}shop${ENTER}`],
      ['Which meshes are members?', 'istiod'],
      ['2 matches', `${TAB}${DOWN}${TAB}${ENTER}`],
      ['How do the members trust each other?', ENTER],
      ['Which Services can members of other clusters call?', `${DOWN}${ENTER}`],
      ['The Services of which namespaces?', 'bookshop'],
      ['1 match', `${TAB}${ENTER}`],
      ['VirtualMesh meshrelay/shop', ''],
      ['What now?', `${DOWN}${DOWN}${ENTER}`],
      ['VirtualMesh meshrelay/shop is created', ''],
    ],
  );
  assert.ok(code === 0 || code === 2, screen);
  const created = await management.connection
    .objects(meshrelayKind('VirtualMesh'))
    .read({ namespace: 'meshrelay', name: 'shop' });
  const member = (cluster: string) => ({ name: `istiod-istio-system-${cluster}`, namespace: 'meshrelay' });
  // The API server fills in the defaults.
  assert.equal(created?.spec, {
    meshes: [member('cluster-1'), member('cluster-2')],
    mtlsConfig: { shared: {}, autoRestartPods: false, strict: false },
    federation: {
      mode: 'SELECTED',
      selectors: [{ destinationSelectors: [{ kubeServiceMatcher: { namespaces: ['bookshop'] } }] }],
      flatNetwork: false,
      hostnameSuffix: 'global',
    },
    globalAccessPolicy: 'MESH_DEFAULT',
  });
});

for (const [key, keys] of [
  ['Ctrl-C', CTRL_C],
  ['Ctrl-D', CTRL_D],
] as const)
  test(`${key} ends the questions: 130, and nothing is written`, async () => {
    const early = await create('trafficpolicy', ['What is the name of the TrafficPolicy?', keys]);
    assert.is(early.code, 130, early.screen);
    assert.match(early.screen, 'interrupted; nothing was written');
    const flags = ['--destination', 'cluster-1/bookshop/reviews', '--timeout', '3s'];
    const late = await inTerminal(['create', 'trafficpolicy', 'late', ...flags, ...FLEET], folder.path, [
      ['What now?', ENTER],
      ['Which file?', `late.yaml${keys}`],
    ]);
    assert.is(late.code, 130, late.screen);
    assert.not.ok(existsSync(join(folder.path, 'late.yaml')));
  });

test('without anything to pick, the reason is an error', async () => {
  writeFileSync(join(folder.path, 'empty.yaml'), '');
  const { code, screen } = await inTerminal(
    ['create', 'virtualmesh', 'none', '--cluster', 'east=empty.yaml'],
    folder.path,
    [],
  );
  assert.is(code, 1, screen);
  assert.match(screen, 'error: Which meshes are members? Discovery has found none');
});

test('with all flags nothing is asked', async () => {
  const { code, screen } = await inTerminal(
    [
      ...['create', 'trafficpolicy', 'asked', '--destination', 'cluster-1/bookshop/reviews', '--timeout', '3s'],
      ...['--out', 'asked.yaml', ...FLEET],
    ],
    folder.path,
    [],
  );
  assert.is(code, 0, screen);
  assert.not.match(screen, '?');
  assert.ok(existsSync(join(folder.path, 'asked.yaml')));
});

test.run();
