/** Plugins that write wrong values, or one output for two meanings, are detected. */
import type { DestinationView, MeshPlugin } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { capabilityChecks } from '../../src/capability/capability-checks.ts';
import { expandFleet, type Fleet, pluginConformance, type TestedPlugin } from '../../src/mod.ts';
import { allPolicyRulesFleet } from '../../src/properties/all-policy-rules-fleet.ts';
import { allValuesFleet } from '../../src/properties/all-values-fleet.ts';
import { findsFixture } from '../../src/properties/fixture-found.ts';
import { excusedBy, refuseIdleExcuses } from '../../src/properties/values/excused.ts';
import { writesMeaningsApart } from '../../src/properties/values/meanings-differ.ts';
import { writesEveryValue } from '../../src/properties/values/values-arrive.ts';
import { keepsValuesTogether } from '../../src/properties/values/values-together.ts';
import { paperFixture, paperPlugin, sheet } from '../support/paper-mesh.ts';

/** The mesh of paper with whole views in its sheets. */
const WHOLE: Partial<MeshPlugin> = {
  translateDestination: writing((view) => view),
  translateVirtualDestination({ virtualDestination, consumer, ...stated }, out) {
    out.emit(consumer.cluster, sheet('mills', `name.${virtualDestination.name}`, stated), [virtualDestination]);
  },
  translateEndpoints({ destination, consumer, virtualMesh, ...stated }, out) {
    const { serviceAccounts, name, cluster } = destination;
    const object = sheet('mills', `ends.${name}.${cluster}`, { ...stated, serviceAccounts });
    out.emit(consumer.cluster, object, [virtualMesh]);
  },
  translateMesh({ mesh, virtualMesh, ...stated }, out) {
    out.emit(mesh.cluster, sheet(mesh.namespace, 'all', stated), [virtualMesh]);
  },
};

function tested(changes: Partial<MeshPlugin> = {}): TestedPlugin {
  return { plugin: paperPlugin({ ...WHOLE, ...changes }), fixture: paperFixture };
}

/** A translation that writes what `change` makes of the view. */
function writing(change: (view: DestinationView) => object): NonNullable<MeshPlugin['translateDestination']> {
  return (view, out) => {
    const { destination, ...stated } = change(view) as DestinationView;
    const { cluster, namespace, name } = view.destination;
    const policies = [...view.routes, ...view.access, ...Object.values(view.connection)].flatMap(
      (one: { readonly from: DestinationView['routes'][number]['from'] }) => one.from,
    );
    if (policies.length > 0) out.emit(cluster, sheet(namespace, name, stated), policies);
  };
}

/** A plugin that changes members of views before it writes them. */
function changing(change: (name: string, value: unknown) => unknown): TestedPlugin {
  return tested({ translateDestination: writing((view) => JSON.parse(JSON.stringify(view), change) as object) });
}

/** One policy with the rules that the wrong plugins translate. */
const FLEETS = [{ name: 'small', fleet: smallFleet() }];

function smallFleet(): Fleet {
  const accounts = ['a', 'b'].map((name) => ({ name, namespace: 'x', clusterName: 'one' }));
  return expandFleet(
    {
      about: '',
      clusters: { one: { services: { 'a.x': { ports: ['http:80'] }, 'b.x': { ports: ['http:80'] } } } },
      management: [
        {
          TrafficPolicy: 'rules',
          spec: {
            httpRequestMatchers: [{ uri: { exact: '/whole' }, headers: [{ name: 'x-is', value: 'this' }] }],
            policy: {
              requestTimeout: '1s',
              retries: { attempts: 2 },
              headerManipulation: { appendRequestHeaders: { 'x-a': 'b' } },
            },
          },
        },
        {
          AccessPolicy: 'callers',
          spec: { sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts: accounts } }] },
        },
      ],
    },
    { type: 'paper', fixture: paperFixture },
  );
}

test('a plugin that writes its views passes in the fleets of the kit', () => {
  const sound = tested();
  const fleets = [allPolicyRulesFleet(sound), allValuesFleet(sound)];
  writesEveryValue(sound, fleets, excusedBy());
  writesMeaningsApart(sound, fleets);
  keepsValuesTogether(sound, fleets);
});

test('a plugin that writes its views passes in a small fleet', () => {
  writesEveryValue(tested(), FLEETS, excusedBy());
  writesMeaningsApart(tested(), FLEETS);
});

for (const [what, change, words] of [
  [
    'a timeout of ten times',
    (name, value) => (name === 'timeoutMs' ? { value: timesTen(value) } : value),
    /actions\.timeoutMs\.value is 1000; with 7321000 instead the output does not contain 7321s/,
  ],
  [
    'one attempt too many',
    (name, value) => (name === 'attempts' ? Number(value) + 1 : value),
    /actions\.retries\.value\.attempts is 2; with 1237/,
  ],
  [
    'a constant path',
    (name, value) => (name === 'exact' ? '/whole' : value),
    /match\.uri\.exact is "\/whole".*the result is the same/,
  ],
  [
    'a missing caller',
    (name, value) => (name === 'principals' ? (value as string[]).slice(0, 1) : value),
    /access\.\*\.sources\.principals\.\*/,
  ],
] as ReadonlyArray<readonly [string, (name: string, value: unknown) => unknown, RegExp]>)
  test(`${what} is detected`, () => {
    assert.throws(() => writesEveryValue(changing(change), FLEETS, excusedBy()), words);
  });

function timesTen(setting: unknown): number {
  return (setting as { readonly value: number }).value * 10;
}

for (const [what, change, words] of [
  [
    '"is not x" as "is absent"',
    (_name, value) => (isInverted(value) ? { ...value, value: undefined } : value),
    /"x-reader is not x" and "x-reader is not y" have the same output/,
  ],
  [
    '"is not x" as "is x"',
    (name, value) => (name === 'invert' ? false : value),
    /"x-reader is x" and "x-reader is not x"/,
  ],
  [
    'a prefix as a whole path',
    (name, value) =>
      name === 'uri' && isPrefix(value) ? { exact: value.prefix, ignoreCase: value.ignoreCase } : value,
    /"is it" and "begins with it"/,
  ],
  [
    'a denied request as an allowed one',
    (name, value) => (name === 'action' ? 'ALLOW' : value),
    /"ALLOW for all requests" and "DENY for all requests"/,
  ],
] as ReadonlyArray<readonly [string, (name: string, value: unknown) => unknown, RegExp]>)
  test(`${what} is detected`, () => {
    assert.throws(() => writesMeaningsApart(changing(change), FLEETS), words);
  });

function isInverted(value: unknown): value is { readonly value: string } {
  return (value as { readonly invert?: unknown } | null)?.invert === true;
}

function isPrefix(value: unknown): value is { readonly prefix: string; readonly ignoreCase: boolean } {
  return typeof value === 'object' && value !== null && 'prefix' in value;
}

test('shares of the other target are detected', () => {
  const exchanged = changing((name, value) => {
    if (name !== 'shift') return value;
    const { from, value: targets } = value as {
      readonly from: unknown;
      readonly value: ReadonlyArray<{ readonly weight: number }>;
    };
    return { from, value: targets.map((target, index) => ({ ...target, weight: targets.at(-1 - index)?.weight })) };
  });
  const fleets = [allPolicyRulesFleet(exchanged)];
  assert.throws(
    () => keepsValuesTogether(exchanged, fleets),
    /shares of targets: "63" is written for "onezqx", which has "37"/,
  );
});

test('a value may be written in another way with a reason, and reasons must be needed', () => {
  const doubled = changing((name, value) => (name === 'attempts' ? Number(value) * 2 : value));
  const excused = excusedBy({ 'translateDestination actions.retries.value.attempts': 'paper counts both sides' });
  writesEveryValue(doubled, FLEETS, excused);
  refuseIdleExcuses(excused);
  assert.throws(() => refuseIdleExcuses(excusedBy({ 'translateMesh x': 'no need' })), /remove them: translateMesh x/);
});

function capabilityProblem(fact: string): string {
  const check = capabilityChecks(tested(), { 'route.timeout': [fact] }).find(
    ({ name }) => name === 'capability route.timeout',
  );
  try {
    check?.run();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('objects must say what the author expects of the mesh', () => {
  assert.is(capabilityProblem('Sheet.spec.routes.actions.timeoutMs.value = 3000'), '');
  assert.is(capabilityProblem('not Sheet.spec.routes.actions.retries'), '');
  assert.match(
    capabilityProblem('Sheet.spec.timeout = 3s'),
    /the author expects "Sheet\.spec\.timeout = 3s", which no probe/,
  );
  assert.match(
    capabilityProblem('not Sheet.spec.routes.actions.timeoutMs'),
    /the author expects "not Sheet\.spec\.routes/,
  );
});

test('without a mesh, one check fails and says what to do', () => {
  const checks = pluginConformance(paperPlugin(), { fixture: { ...paperFixture, controlPlane: () => [] } });
  assert.equal(
    checks.map(({ name }) => name),
    ["property: the fixture's mesh is found"],
  );
  assert.throws(() => checks[0]?.run(), /finds no mesh .* so nothing else can be checked; call meshes\(\.\.\.\)/);
});

test('a mesh with other facts than the fixture expects is detected', () => {
  const fixture = { ...paperFixture, mesh: { name: 'mill', trustDomain: 'td' } };
  findsFixture({ plugin: paperPlugin(), fixture });
  const other = { ...fixture, mesh: { trustDomain: 'cluster.local' } };
  assert.throws(
    () => findsFixture({ plugin: paperPlugin(), fixture: other }),
    /finds trustDomain "td" .* expects "cluster\.local"/,
  );
});

test.run();
