/** Each law finds the plugin that breaks it, and lets the sound one pass. */
import type { PolicyRef } from '@meshrelay/api';
import type { FoundMesh, Graph, MeshPlugin } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { leavesNothing, unmovedByStrangers, writesWhatItDeclares } from '../../src/laws/bounded.ts';
import { readsAnyClaim } from '../../src/laws/claims.ts';
import { fullWorld } from '../../src/laws/full-world.ts';
import type { Law } from '../../src/laws/law.ts';
import { legalNames } from '../../src/laws/names.ts';
import { survivesPoison } from '../../src/laws/poison.ts';
import { deterministic, incremental, mutatesNothing, orderFree } from '../../src/laws/repeatable.ts';
import { nothingInSilence } from '../../src/laws/silence.ts';
import { expandFleet, type TestedPlugin } from '../../src/mod.ts';
import { paperFixture, paperPlugin, sheet } from '../support/paper-mesh.ts';

const SOUND = tested();

function tested(changes: Partial<MeshPlugin> = {}): TestedPlugin {
  return { plugin: paperPlugin(changes), fixture: paperFixture };
}

/** Says something of two destinations, in a namespace each. */
const WORLD = {
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

const LAWS: Readonly<Record<string, Law>> = {
  readsAnyClaim,
  deterministic,
  incremental,
  leavesNothing,
  legalNames,
  mutatesNothing,
  nothingInSilence,
  orderFree,
  survivesPoison,
  unmovedByStrangers,
  writesWhatItDeclares,
};

for (const [name, law] of Object.entries(LAWS)) test(`${name}: a sound plugin passes`, () => law(SOUND, [WORLD]));

test('a sound plugin passes where everything is asked for', () => {
  const world = fullWorld(SOUND);
  assert.ok(world.fleet.management.length > 30);
  for (const law of [deterministic, nothingInSilence, writesWhatItDeclares]) law(SOUND, [world]);
});

/** The plugin of the sound one, with something more done to each destination. */
function alsoDoes(translate: NonNullable<MeshPlugin['translateDestination']>): TestedPlugin {
  return tested({ translateDestination: translate });
}

function refuses(law: Law, broken: TestedPlugin, words: RegExp): void {
  assert.throws(
    () => law(broken, [WORLD]),
    (error: Error) => {
      assert.match(error.message, words);
      return true;
    },
  );
}

test('chance and the clock are found', () => {
  const chance = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet(namespace, name, { at: Math.random() }), routes[0]?.from ?? []),
  );
  refuses(deterministic, chance, /Math\.random/);
  const clock = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet(namespace, name, { at: new Date().toISOString() }), routes[0]?.from ?? []),
  );
  refuses(deterministic, clock, /the time of day/);
});

test('memory between calls is found', () => {
  let calls = 0;
  const counting = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    calls += 1;
    out.emit(cluster, sheet(namespace, name, { calls }), routes[0]?.from ?? []);
  });
  refuses(deterministic, counting, /came to something else/);
  refuses(incremental, counting, /came to something else/);
  refuses(orderFree, counting, /came to something else/);
});

test('a changed view is found', () => {
  const changing = alsoDoes(({ routes }) => {
    (routes as unknown[]).pop();
  });
  refuses(mutatesNothing, changing, /with all views frozen/);
});

test('an undeclared kind and an object written twice are found', () => {
  const undeclared = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, { ...sheet(namespace, name, {}), kind: 'Leaf' }, routes[0]?.from ?? []),
  );
  refuses(writesWhatItDeclares, undeclared, /PLUGIN_FAULT.*Leaf/);
  const otherVersion = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, { ...sheet(namespace, name, {}), apiVersion: 'paper.example/v2' }, routes[0]?.from ?? []),
  );
  refuses(writesWhatItDeclares, otherVersion, /paper\.example\/v2 Sheet, which its "writes" does not declare/);
  const twice = alsoDoes(({ destination: { cluster, name }, routes }, out) =>
    out.emit(cluster, sheet('mills', 'one', { name }), routes[0]?.from ?? []),
  );
  refuses(writesWhatItDeclares, twice, /OUTPUT_CLASH/);
});

test('a policy without effect and word is found', () => {
  const silent = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    if (routes.length > 0)
      out.emit(
        cluster,
        sheet(namespace, name, { routes }),
        routes.flatMap(({ from }) => from),
      );
  });
  refuses(nothingInSilence, silent, /AccessPolicy meshrelay\/open is ACCEPTED and told nothing/);
});

test('a plugin that mixes clusters up is found', () => {
  const seen = new Set<string>();
  const gossip = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) => {
    seen.add(cluster);
    out.emit(cluster, sheet(namespace, name, { seen: [...seen].sort() }), routes[0]?.from ?? []);
  });
  refuses(unmovedByStrangers, gossip, /an unrelated cluster changed the others.*stranger/s);
});

test('a plugin that goes on writing for policies that are gone is found', () => {
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

test('an object that no policy asks for is found', () => {
  const unasked = alsoDoes(({ destination: { cluster, namespace, name } }, out) =>
    out.emit(cluster, sheet(namespace, name, {}), []),
  );
  refuses(leavesNothing, unasked, /still writes .*Sheet.*for no policy/);
});

test('a discovery that does not let go of what it once found is found', () => {
  const sound = paperPlugin();
  const clinging = tested({
    discover(define, settings) {
      // The whole graph is behind what plugins may use of it.
      const graph = define.graph as Graph;
      const kept = graph.source<FoundMesh>('paper/kept');
      const meshes: typeof define.meshes = (found) => {
        define.meshes(kept);
        graph.subscribe((changes) => {
          const came = changes.of(found).filter(({ after }) => after !== undefined);
          if (came.length === 0) return;
          graph.commit((transaction) => {
            for (const { key, after } of came) if (after !== undefined) transaction.set(kept, key, after);
          });
        });
      };
      sound.discover({ ...define, meshes }, settings);
    },
  });
  refuses(leavesNothing, clinging, /no object is left, but it finds .*Mesh.*mill-mills-one/);
});

test('names that are too long, not legal or the same are found', () => {
  const long = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet(namespace, `${name}.`.repeat(5), {}), routes[0]?.from ?? []),
  );
  refuses(legalNames, long, /320 characters|no RFC 1123 subdomain/);
  const joined = alsoDoes(({ destination: { cluster, namespace, name }, routes }, out) =>
    out.emit(cluster, sheet('mills', `${namespace}-${name}`, { name }), routes[0]?.from ?? []),
  );
  refuses(legalNames, joined, /twice, with different contents/);
});

test('discovery that trusts what it reads is found', () => {
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
      sound.discover({ ...define, objects }, settings);
    },
  });
  refuses(survivesPoison, trusting, /Pod poisoned-v1 with a poisoned spec.*its discovery throws/);
});

test('claims that trust what they read are found', () => {
  const trusting = tested({
    rivalry: {
      foundBy: (object) => [(object as unknown as { spec: { routes: object[] } }).spec.routes.join()],
      looksFor: () => [],
      meet: () => undefined,
    },
  });
  refuses(readsAnyClaim, trusting, /Sheet \w+ with a poisoned spec.*rivalry throws/);
});

test.run();
