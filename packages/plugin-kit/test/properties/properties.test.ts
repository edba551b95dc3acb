/** Each property detects the plugin that violates it, and accepts the correct one. */
import type { PolicyRef, Report } from '@meshrelay/api';
import {
  type DestinationView,
  type DiscoveredMesh,
  type DiscoveryBuilder,
  type MeshPlugin,
  type NativeObject,
  NODE,
  type Output,
  POD,
} from '@meshrelay/plugin';
import type { Graph } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { expandFleet, type TestedPlugin } from '../../src/mod.ts';
import { allPolicyRulesFleet } from '../../src/properties/all-policy-rules-fleet.ts';
import { allViewFieldsFleet } from '../../src/properties/all-view-fields-fleet.ts';
import { leavesNothing, unmovedByStrangers, writesWhatItDeclares } from '../../src/properties/bounded.ts';
import { readsAnyClaim } from '../../src/properties/claims.ts';
import { usesEveryField } from '../../src/properties/every-field-used.ts';
import { findsFixture } from '../../src/properties/fixture-found.ts';
import { legalNames } from '../../src/properties/names.ts';
import { reportsEveryDrop } from '../../src/properties/no-silent-drops.ts';
import { built } from '../../src/properties/outcome.ts';
import { namesOwnPolicies } from '../../src/properties/own-policies.ts';
import { writesPlainJson } from '../../src/properties/plain.ts';
import { survivesPoison } from '../../src/properties/poison.ts';
import type { Property } from '../../src/properties/property.ts';
import { deterministic, incremental, mutatesNothing, orderFree } from '../../src/properties/repeatable.ts';
import { loaded } from '../../src/tested-plugin.ts';
import { paperFixture, paperPlugin, SHEET, sheet } from '../support/paper-mesh.ts';

const SOUND = tested();

function tested(changes: Partial<MeshPlugin> = {}): TestedPlugin {
  return { plugin: paperPlugin(changes), fixture: paperFixture };
}

/** Sets policies for two destinations, each in its own namespace. */
const FLEET = {
  name: 'small',
  fleet: expandFleet(
    {
      about: '',
      clusters: { one: { services: { 'a.x': { ports: ['http:80'] }, 'b.y': { ports: ['http:80'] } } } },
      management: [
        { TrafficPolicy: 'slow', spec: { policy: { requestTimeout: '1s' } } },
        { AccessPolicy: 'open', spec: {} },
      ],
    },
    { type: 'paper', fixture: paperFixture },
  ),
};

const PROPERTIES: Readonly<Record<string, Property>> = {
  readsAnyClaim,
  deterministic,
  usesEveryField,
  incremental,
  leavesNothing,
  legalNames,
  mutatesNothing,
  namesOwnPolicies,
  reportsEveryDrop,
  orderFree,
  survivesPoison,
  unmovedByStrangers,
  writesPlainJson,
  writesWhatItDeclares,
};

for (const [name, property] of Object.entries(PROPERTIES))
  test(`${name}: a correct plugin passes`, () => property(SOUND, [FLEET]));

test('a correct plugin passes if every field is requested', () => {
  const fleetState = allViewFieldsFleet(SOUND);
  assert.ok(fleetState.fleet.management.length > 30);
  for (const property of Object.values(PROPERTIES)) property(SOUND, [fleetState]);
  const whole = allPolicyRulesFleet(SOUND);
  usesEveryField(SOUND, [whole]);
  assert.ok(whole.fleet.management.length > 10);
  const states = [...built(whole.fleet, loaded(SOUND)).statuses.entries()].map(([, { ref, status }]) => [
    ref.name,
    status.state,
  ]);
  assert.equal(
    states.filter(([name = '', state]) => /^whole-\d/.test(name) && state !== 'ACCEPTED'),
    [],
  );
});

/** The correct plugin with an additional translation of each destination. */
function alsoDoes(translate: NonNullable<MeshPlugin['translateDestination']>): TestedPlugin {
  return tested({ translateDestination: translate });
}

function refuses(property: Property, broken: TestedPlugin, words: RegExp): void {
  assert.throws(
    () => property(broken, [FLEET]),
    (error: Error) => {
      assert.match(error.message, words);
      return true;
    },
  );
}

test('randomness and the clock are detected', () => {
  const chance = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet(namespace, name, { at: Math.random() }), routes[0]?.from ?? []),
  );
  refuses(deterministic, chance, /Math\.random/);
  const clock = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet(namespace, name, { at: new Date().toISOString() }), routes[0]?.from ?? []),
  );
  refuses(deterministic, clock, /the time of day/);
});

test('state between calls is detected', () => {
  let calls = 0;
  const counting = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    calls += 1;
    out.emit(cluster, sheet(namespace, name, { calls }), routes[0]?.from ?? []);
  });
  refuses(deterministic, counting, /gave another result/);
  refuses(incremental, counting, /gave another result/);
  refuses(orderFree, counting, /gave another result/);
});

test('a changed view is detected', () => {
  const changing = alsoDoes(({ routes }) => {
    (routes as unknown[]).pop();
  });
  refuses(mutatesNothing, changing, /with all views and objects frozen: .*plugin paper: /s);
});

test('a changed object of the cluster is detected', () => {
  const sound = paperPlugin();
  const marking = tested({
    discover(define, settings) {
      sound.discover?.(define, settings);
      define.graph.derive('paper/marked', define.objects(POD), ({ metadata }) => {
        (metadata as { labels?: object }).labels = { marked: 'yes' };
        return { name: metadata.name };
      });
    },
  });
  refuses(mutatesNothing, marking, /frozen: paper\/marked .*TypeError/);
});

test('a change of an earlier output is detected', () => {
  const written: NativeObject[] = [];
  const late = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    for (const object of written) (object as unknown as { spec: unknown }).spec = name;
    const object = sheet(namespace, name, {});
    written.push(object);
    out.emit(cluster, object, routes[0]?.from ?? []);
  });
  refuses(mutatesNothing, late, /frozen: .*plugin paper: /s);
  const emptied = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    const sourcePolicies = [...(routes[0]?.from ?? [])];
    out.emit(cluster, sheet(namespace, name, {}), sourcePolicies);
    sourcePolicies.length = 0;
  });
  refuses(mutatesNothing, emptied, /frozen: .*plugin paper: /s);
});

const CIRCLE: Record<string, unknown> = {};
CIRCLE['again'] = CIRCLE;

for (const [what, value, words] of [
  ['a Map', new Map([['a', 1]]), /spec\.given is a Map; write plain JSON/],
  ['a Set', new Set(['a']), /spec\.given is a Set/],
  ['a Date', new Date(0), /spec\.given is a Date/],
  ['a RegExp', /a/, /spec\.given is a RegExp/],
  ['a BigInt', 1n, /spec\.given is a bigint/],
  ['a function', () => 1, /spec\.given is a function/],
  ['a symbol', Symbol('a'), /spec\.given is a symbol/],
  ['NaN', Number.NaN, /spec\.given is NaN/],
  ['an infinite number', [1, Number.NEGATIVE_INFINITY], /spec\.given\.1 is -Infinity/],
  ['undefined', { deep: undefined }, /spec\.given\.deep is undefined: leave the field out/],
  ['an object within itself', CIRCLE, /spec\.given\.again is an object that it is part of itself/],
] as const) {
  const writes = ({ destination: { cluster, namespace, name }, routes }: DestinationView, out: Output) =>
    out.emit(cluster, sheet(namespace, name, { given: value }), routes[0]?.from ?? []);
  test(`${what} in an object is detected`, () => {
    refuses(writesPlainJson, alsoDoes(writes), words);
    refuses(writesPlainJson, alsoDoes(writes), /^small: translateDestination of one\/x\/a: Sheet a: /);
  });
}

test('a value that is not plain in a part, a report and an assembled object is detected', () => {
  const to = { cluster: 'one', kind: SHEET, namespace: 'x', name: 'all' };
  const assemble = () => ({ ...sheet('x', 'all', {}), spec: new Map() });
  const part = (value: unknown) => (_view: DestinationView, out: Output) =>
    out.contribute(to, { slot: 'a', value }, []);
  const inPart = tested({ translateDestination: part(new Map()), assemble: () => sheet('x', 'all', {}) });
  refuses(writesPlainJson, inPart, /its part in Sheet all: value is a Map/);
  refuses(
    writesPlainJson,
    tested({ translateDestination: part(1), assemble }),
    /assemble of one\/x\/all: Sheet all: spec is a/,
  );
  const reporting = alsoDoes(({ routes }, out) => {
    const [policy] = routes[0]?.from ?? [];
    const report = { code: 'ODD', severity: 'info', message: 'odd', field: undefined } as unknown as Report;
    if (policy !== undefined) out.report(policy, report);
  });
  refuses(writesPlainJson, reporting, /its report ODD: field is undefined/);
});

test('a translation that is not complete when it returns is detected', () => {
  const promising = alsoDoes((async () => {}) as never);
  refuses(writesPlainJson, promising, /translateDestination of one\/x\/a: it returns a promise/);
});

test('a report to a policy of another view, and an object for one, are detected', () => {
  const stranger: PolicyRef = { kind: 'TrafficPolicy', cluster: '', namespace: 'x', name: 'stranger' };
  const words = /Destination of one\/x\/a: .* is for TrafficPolicy x\/stranger, which nothing in the view came from/;
  const reporting = alsoDoes((_view, out) => out.report(stranger, { code: 'ODD', severity: 'info', message: 'odd' }));
  refuses(namesOwnPolicies, reporting, words);
  const writing = alsoDoes(({ destination: { cluster, namespace, name } }, out) =>
    out.emit(cluster, sheet(namespace, name, {}), [stranger]),
  );
  refuses(namesOwnPolicies, writing, words);
});

test('a plugin that does not discover the fixture is detected', () => {
  findsFixture(SOUND);
  const fails = (words: RegExp, changes: Partial<TestedPlugin>) =>
    assert.throws(() => findsFixture({ ...SOUND, ...changes }), words);
  fails(/finds no mesh in what the fixture's controlPlane/, { plugin: paperPlugin({ discover() {} }) });
  fails(/finds no mesh in what/, { fixture: { ...paperFixture, controlPlane: () => [] } });
  fails(/finds no member of mesh mills\/mill among the pods/, { fixture: { ...paperFixture, injected: (pod) => pod } });
  fails(/the fixture of paper has no function "injected"/, { fixture: { controlPlane: () => [] } as never });
  fails(/the fixture of paper has no function "controlPlane"/, { fixture: undefined as never });
  fails(/the fixture's controlPlane gives {}; expected a list/, {
    fixture: { ...paperFixture, controlPlane: () => ({}) as never },
  });
  fails(/the fixture's injected gives undefined of pod books-v1/, {
    fixture: { ...paperFixture, injected: () => undefined as never },
  });
  const sound = paperPlugin();
  const greedy = (change: (define: DiscoveryBuilder) => Partial<DiscoveryBuilder>) => ({
    plugin: paperPlugin({
      discover: (define, settings) => sound.discover?.({ ...define, ...change(define) }, settings),
    }),
  });
  const anyPod = greedy(({ graph, objects, members }) => ({
    members: () =>
      members(graph.derive('paper/any', objects(POD), () => ({ mesh: { name: 'mill', namespace: 'mills' } }))),
  }));
  fails(/takes pods that the fixture has not injected for members of paper/, anyPod);
  const anyNode = greedy(({ graph, objects, meshes }) => ({
    meshes: () =>
      meshes(graph.derive('paper/all', objects(NODE), () => ({ name: 'mill', namespace: 'mills', trustDomain: 'td' }))),
  }));
  fails(/finds mesh mills\/mill in a cluster of which the fixture has made nothing/, anyNode);
});

test('an undeclared kind and an object written twice are detected', () => {
  const undeclared = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, { ...sheet(namespace, name, {}), kind: 'Leaf' }, routes[0]?.from ?? []),
  );
  refuses(writesWhatItDeclares, undeclared, /PLUGIN_INVALID_OUTPUT.*Leaf/);
  const otherVersion = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, { ...sheet(namespace, name, {}), apiVersion: 'paper.example/v2' }, routes[0]?.from ?? []),
  );
  refuses(writesWhatItDeclares, otherVersion, /paper\.example\/v2 Sheet, which its "writes" does not declare/);
  const twice = alsoDoes(({ destination: { cluster, name }, routes }, out) =>
    out.emit(cluster, sheet('mills', 'one', { name }), routes[0]?.from ?? []),
  );
  refuses(writesWhatItDeclares, twice, /DUPLICATE_OUTPUT/);
});

test('an object in a forbidden namespace or with forbidden fields is detected', () => {
  const placed = (metadata: object, more: object = {}, plugin: Partial<MeshPlugin> = {}) =>
    tested({
      ...plugin,
      translateDestination({ destination: { cluster, namespace, name }, routes }, out) {
        const { metadata: own, ...object } = sheet(namespace, name, {});
        out.emit(
          cluster,
          { ...object, ...more, metadata: { ...own, ...metadata } } as NativeObject,
          routes[0]?.from ?? [],
        );
      },
    });
  refuses(
    writesWhatItDeclares,
    placed({ namespace: undefined }),
    /Sheet \w+: it has no namespace, but its kind is namespaced/,
  );
  const wide = { writes: [{ ...SHEET, namespaced: false }] };
  refuses(
    writesWhatItDeclares,
    placed({}, {}, wide),
    /it has the namespace \w, but "writes" says that its kind is not/,
  );
  refuses(
    writesWhatItDeclares,
    placed({ finalizers: ['a'] }),
    /it has metadata\.finalizers; a plugin says name, namespace/,
  );
  refuses(writesWhatItDeclares, placed({}, { status: {} }), /it has a status, which is for the mesh to write/);
  refuses(legalNames, placed({ labels: { a: 7 } }), /its label a is 7; expected a text/);
  refuses(
    legalNames,
    placed({ annotations: { 'not legal!': 'a' } }),
    /the name of its annotation not legal! is not legal/,
  );
  refuses(legalNames, placed({ annotations: { a: {} } }), /its annotation a is {}; expected a text/);
});

test('an object that does not name one of its source policies is detected', () => {
  const first = alsoDoes(({ destination: { cluster, namespace, name }, routes, access }, out) => {
    const from = [...routes, ...access].flatMap((one) => one.from);
    if (from.length > 0) out.emit(cluster, sheet(namespace, name, { routes, access }), from.slice(0, 1));
  });
  refuses(
    reportsEveryDrop,
    first,
    /Sheet.* is otherwise without AccessPolicy meshrelay\/open, but does not name it in "sourcePolicies"; hand on "from"/,
  );
});

test('state of a cluster that only its own policies reference is detected', () => {
  let last = '';
  const gossip = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    out.emit(cluster, sheet(namespace, name, { last: cluster === 'cluster-1' ? last : '' }), routes[0]?.from ?? []);
    if (cluster === 'stranger') last = name;
  });
  assert.throws(
    () => unmovedByStrangers(gossip, [allViewFieldsFleet(gossip)]),
    /an unrelated cluster changed the others/,
  );
});

test('a kind that is declared and never written is detected', () => {
  const idle = tested({ writes: [SHEET, { ...SHEET, kind: 'Leaf', plural: 'leaves' }] });
  refuses(writesWhatItDeclares, idle, /declares paper\.example\/v1 Leaf, which it writes in no test fleet/);
});

test('a policy without an effect and a report is detected', () => {
  const silent = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    if (routes.length > 0)
      out.emit(
        cluster,
        sheet(namespace, name, { routes }),
        routes.flatMap(({ from }) => from),
      );
  });
  refuses(reportsEveryDrop, silent, /AccessPolicy meshrelay\/open is ACCEPTED without a report/);
});

test('a value that is not written is detected, at any depth', () => {
  const without = (path: readonly string[]) =>
    alsoDoes(({ destination: { cluster, namespace, name }, routes, connection, access }, out) => {
      const spec = structuredClone({ routes, connection, access });
      for (const start of [...spec.routes, ...spec.access, spec.connection]) {
        const owner = path
          .slice(0, -1)
          .reduce<Record<string, unknown> | undefined>(
            (at, step) => at?.[step] as Record<string, unknown> | undefined,
            start as Record<string, unknown>,
          );
        if (owner !== undefined) delete owner[path.at(-1) ?? ''];
      }
      out.emit(cluster, sheet(namespace, name, spec), routes[0]?.from ?? access[0]?.from ?? []);
    });
  for (const [path, words] of [
    [['match', 'method'], /translateDestination of .*: routes\.\d+\.match\.method is "GET", and any other value gives/],
    [['actions', 'timeoutMs'], /routes\.\d+\.actions\.timeoutMs\.value is \d+, and any/],
    [['actions', 'retries', 'value', 'perTryTimeoutMs'], /actions\.retries\.value\.perTryTimeoutMs is \d+, and any/],
    [['pool'], /connection\.pool\.value\.[\w.]+ is \d+, and any/],
    [['paths'], /access\.\d+\.paths\.0 is ".*", and any/],
  ] as const) {
    const broken = without(path);
    assert.throws(() => usesEveryField(broken, [allViewFieldsFleet(broken), allPolicyRulesFleet(broken)]), words);
  }
});

test('a value that its policy has a report about need not be written', () => {
  const sound = paperPlugin();
  const reporting: TestedPlugin = tested({
    translateDestination(view, out, settings) {
      const routes = view.routes.map(({ actions: { timeoutMs: _timeoutMs, ...actions }, ...route }) => ({
        ...route,
        actions,
      }));
      sound.translateDestination?.({ ...view, routes }, out, settings);
      for (const policy of view.routes.flatMap(({ actions }) => actions.timeoutMs?.from ?? []))
        out.report(policy, { code: 'NO_TIMEOUT', severity: 'warning', message: 'not on paper' });
    },
  });
  usesEveryField(reporting, [FLEET]);
});

test('a plugin that mixes clusters up is detected', () => {
  const seen = new Set<string>();
  const gossip = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    seen.add(cluster);
    out.emit(cluster, sheet(namespace, name, { seen: [...seen].sort() }), routes[0]?.from ?? []);
  });
  refuses(unmovedByStrangers, gossip, /an unrelated cluster changed the others.*stranger/s);
});

test('a plugin that still writes for deleted policies is detected', () => {
  const reasons = new Map<string, readonly PolicyRef[]>();
  const clinging = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    const from = routes.flatMap((route) => route.from);
    if (from.length > 0) reasons.set(name, from);
    out.emit(cluster, sheet(namespace, name, {}), reasons.get(name) ?? []);
  });
  refuses(
    leavesNothing,
    clinging,
    /without TrafficPolicy slow it still writes .*Sheet.*TrafficPolicy meshrelay\/slow, which is gone/,
  );
});

test('an object without a source policy is detected', () => {
  const unasked = alsoDoes(({ destination: { cluster, namespace, name } }, out) =>
    out.emit(cluster, sheet(namespace, name, {}), []),
  );
  refuses(leavesNothing, unasked, /still writes .*Sheet.*for no policy/);
});

test('a discovery that keeps deleted objects is detected', () => {
  const sound = paperPlugin();
  const clinging = tested({
    discover(define, settings) {
      // Plugins see a part of the graph's interface, but the object is the whole graph.
      const graph = define.graph as Graph;
      const retained = graph.source<DiscoveredMesh>('paper/kept');
      const meshes: typeof define.meshes = (found) => {
        define.meshes(retained);
        graph.subscribe((changes) => {
          const came = changes.of(found).filter(({ after }) => after !== undefined);
          if (came.length === 0) return;
          graph.commit((transaction) => {
            for (const { key, after } of came) if (after !== undefined) transaction.set(retained, key, after);
          });
        });
      };
      sound.discover?.({ ...define, meshes }, settings);
    },
  });
  refuses(leavesNothing, clinging, /no object is left, but it finds .*Mesh.*mill-mills-one/);
});

test('names that are too long, invalid or equal are detected', () => {
  const long = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet(namespace, `${name}.`.repeat(5), {}), routes[0]?.from ?? []),
  );
  refuses(legalNames, long, /320 characters|not an RFC 1123 subdomain/);
  const resolveContext = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet('mills', `${namespace}-${name}`, { name }), routes[0]?.from ?? []),
  );
  refuses(legalNames, resolveContext, /twice with different content/);
});

test('a discovery that trusts its input is detected', () => {
  const sound = paperPlugin();
  const trusting = tested({
    discover(define, settings) {
      const objects: typeof define.objects = (kind) => {
        const all = define.objects(kind);
        if (kind.kind !== 'Pod') return all as never;
        return define.graph.derive('paper/pods', all, (pod) =>
          (pod as { spec?: { containers: string[] } }).spec?.containers.some(() => true) ? pod : undefined,
        ) as never;
      };
      sound.discover?.({ ...define, objects }, settings);
    },
  });
  refuses(survivesPoison, trusting, /Pod poisoned-v1 with a poisoned spec.*its discovery throws/);
});

test('object conflicts that trust their input are detected', () => {
  const trusting = tested({
    objectConflicts: {
      indexKeys: (object) => [(object as unknown as { spec: { routes: object[] } }).spec.routes.join()],
      lookupKeys: () => [],
      detect: () => undefined,
    },
  });
  refuses(readsAnyClaim, trusting, /Sheet \w+ with a poisoned spec.*objectConflicts throws/);
});

test.run();
