/** Golden cases that test nothing are detected: a misspelled field, no cluster, no input, no case at all. */
import type { AssertionError } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MeshPlugin } from '@meshrelay/plugin';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { stringify } from 'yaml';
import { GoldenFolder, goldenChecks } from '../../src/mod.ts';
import { paperFixture, paperPlugin, sheet } from '../support/paper-mesh.ts';

/** The errors of the checks for a folder whose cases have these texts as inputs; null: none. */
function problems(inputs: Readonly<Record<string, string | null>>): readonly string[] {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(inputs)) {
    mkdirSync(join(folder.path, name));
    if (text !== null) writeFileSync(join(folder.path, name, 'input.yaml'), text);
  }
  return goldenChecks(paperPlugin(), { folder: folder.path, fixture: paperFixture }).map(({ run }) => {
    try {
      run();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  });
}

const SOUND = {
  about: 'a timeout',
  clusters: { one: { services: { 'a.x': { ports: ['http:80'] } } } },
  management: [{ TrafficPolicy: 'slow', spec: { policy: { requestTimeout: '1s' } } }],
};

function problem(fleet: unknown): string {
  const [message = ''] = problems({ one: stringify(fleet) });
  assert.match(message, /one\/input\.yaml: no fleet can be made of this:/);
  return message;
}

test('a valid input lacks only its results', () => {
  const [message = ''] = problems({ one: stringify(SOUND) });
  assert.not.match(message, 'input.yaml');
  assert.match(message, /Sheet/);
});

for (const [what, fleet, words] of [
  ['a field of the fleet', { ...SOUND, managment: [] }, /managment is not known; there are about, .*management/],
  ['a field of a cluster', { ...SOUND, clusters: { one: { service: {} } } }, /clusters\.one\.service is not known/],
  ['another mesh', { ...SOUND, clusters: { one: { rock: [{}] } } }, /clusters\.one\.rock is not known; .*paper/],
  [
    'a field of a Service',
    { ...SOUND, clusters: { one: { services: { 'a.x': { ports: [], sidecar: false } } } } },
    /services\.a\.x\.sidecar is not known; there are ports, .*sidecars/,
  ],
  [
    'a field of a node',
    { ...SOUND, clusters: { one: { nodes: { n: { address: {} } } } } },
    /nodes\.n\.address is not known/,
  ],
  [
    'a kind',
    { ...SOUND, management: [{ TraficPolicy: 'slow' }] },
    /management\.0 begins with TraficPolicy, which is no/,
  ],
  [
    'a field of a policy',
    { ...SOUND, management: [{ TrafficPolicy: 'slow', specs: {} }] },
    /management\.0\.specs is not known/,
  ],
] as const) {
  test(`${what} that is misspelled is detected`, () => assert.match(problem(fleet), words));
}

for (const [what, fleet, words] of [
  ['nothing', null, /it is null; expected an object with "about" and "clusters"/],
  ['no words', { clusters: SOUND.clusters }, /about is missing/],
  ['no cluster', { about: 'nothing' }, /clusters is missing or empty/],
  ['an empty list of clusters', { about: 'nothing', clusters: {} }, /clusters is missing or empty/],
  ['no ports', { ...SOUND, clusters: { one: { services: { 'a.x': {} } } } }, /services\.a\.x\.ports is missing/],
  [
    'a port that is a number',
    { ...SOUND, clusters: { one: { services: { 'a.x': { ports: [80] } } } } },
    /services\.a\.x\.ports has 80; expected name:port/,
  ],
  [
    'one control plane that is not a list',
    { ...SOUND, clusters: { one: { paper: {} } } },
    /one\.paper is {}; expected a list/,
  ],
  [
    'a policy without a name',
    { ...SOUND, management: [{ TrafficPolicy: null }] },
    /TrafficPolicy is null; expected the name/,
  ],
] as const) {
  test(`${what} is detected`, () => assert.match(problem(fleet), words));
}

test('all errors are reported at once', () => {
  const message = problem({ ...SOUND, managment: [], clusters: { one: { service: {} } } });
  assert.match(message, 'managment');
  assert.match(message, 'clusters.one.service');
});

test('a file that is not YAML is reported with its name', () => {
  assert.match(problems({ one: 'about: [' })[0] ?? '', /one\/input\.yaml: .*line 1/s);
});

test('a folder without an input, and no case at all, are detected', () => {
  assert.match(
    problems({ one: null }).join(),
    /one\/input\.yaml does not exist; write it, then MESHRELAY_GOLDEN=update/,
  );
  assert.match(problems({}).join(), /<case>\/input\.yaml does not exist; write it/);
});

/** It writes something else in each build, as a plugin does that depends on the order of its inputs. */
function unsteadyPlugin(): MeshPlugin {
  const { discover } = paperPlugin();
  let builds = 0;
  return paperPlugin({
    discover(builder, settings) {
      builds++;
      discover?.(builder, settings);
    },
    translateDestination({ destination: { cluster, namespace, name }, routes }, out) {
      const sourcePolicies = routes.flatMap(({ from }) => from);
      if (sourcePolicies.length > 0) out.emit(cluster, sheet(namespace, name, { builds }), sourcePolicies);
    },
  });
}

test('a case is built from inputs in reverse order, unless a quick run skips that', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'one'));
  writeFileSync(join(folder.path, 'one', 'input.yaml'), stringify(SOUND));
  const failure = (reverses?: (name: string) => boolean): AssertionError | undefined => {
    const options = { folder: folder.path, fixture: paperFixture, ...(reverses === undefined ? {} : { reverses }) };
    try {
      for (const { run } of goldenChecks(unsteadyPlugin(), options)) run();
    } catch (error) {
      return error as AssertionError;
    }
    return undefined;
  };
  for (const file of ['output.yaml', 'report.yaml'])
    writeFileSync(join(folder.path, 'one', file), String(failure()?.actual));
  assert.match(String(failure()?.actual), '"builds":2');
  assert.match(String(failure((name) => name === 'one')?.actual), '"builds":2');
  assert.is(
    failure((name) => name !== 'one'),
    undefined,
  );
});

test('a case shows the labels and annotations of the plugin, without those of core', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'one'));
  writeFileSync(join(folder.path, 'one', 'input.yaml'), stringify(SOUND));
  const plugin = paperPlugin({
    translateDestination({ destination: { cluster, namespace, name }, routes }, out) {
      const { metadata, ...object } = sheet(namespace, name, {});
      const marked = { ...metadata, labels: { tier: 'paper' }, annotations: { colour: 'white' } };
      const policies = routes.flatMap(({ from }) => from);
      if (policies.length > 0) out.emit(cluster, { ...object, metadata: marked }, policies);
    },
  });
  const [check] = goldenChecks(plugin, { folder: folder.path, fixture: paperFixture });
  let actual = '';
  try {
    check?.run();
  } catch (error) {
    actual = String((error as AssertionError).actual);
  }
  assert.match(actual, /labels:\n +tier: paper\n +annotations:\n +colour: white/);
  assert.not.match(actual, 'meshrelay.dev');
});

test('a folder that does not exist yet has no cases', () => {
  assert.equal(new GoldenFolder('not/there').cases(), []);
});

test.run();
