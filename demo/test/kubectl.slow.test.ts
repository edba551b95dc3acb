/** Stock kubectl against the demo: lists, watches, edits and applies, and the effects. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import osm from '@meshrelay/plugin-osm';
import { assert, eventually, suite, temporaryFolder, test } from '@meshrelay/testing';
import { LIBRARY_POLICIES } from '../fleet/library.ts';
import { summarise } from '../story/summary.ts';
import { type Fleet, startFleet } from './support/fleet.ts';
import { Kubectl, kubectlIsThere } from './support/kubectl.ts';
import { POLICIES_IN_WEST, POLICIES_OF_EVERY_STATE } from './support/policies-of-every-state.ts';
import {
  differences,
  filesOf,
  meshctl,
  type Reported,
  reportedOffline,
  reportedOnClusters,
} from './support/reported-policies.ts';

/** Maximum for "within seconds", on a busy machine. */
const SECONDS = { deadline: 120_000 };
const POLICIES = fileURLToPath(new URL('../manifests/policies.yaml', import.meta.url));
const ROUTE = '-n bookshop get virtualservice meshrelay-reviews';

/** A policy that none of the demo's refers to. */
function ratingsTimeout(requestTimeout: string): object {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'ratings-timeout', namespace: 'meshrelay' },
    spec: {
      destinationSelector: [
        { kubeServiceRefs: { services: [{ name: 'ratings', namespace: 'bookshop', clusterName: 'cluster-2' }] } },
      ],
      policy: { requestTimeout },
    },
  };
}

interface Listed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: unknown;
}

/** Each object's spec by its name. */
function specs(objects: readonly Listed[]): Record<string, unknown> {
  const entries = objects.map(({ kind, metadata: { namespace, name }, spec }) => [
    `${kind} ${namespace}/${name}`,
    spec,
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function kubectlTests(): void {
  const withDemo = suite('kubectl against the demo');
  const home = temporaryFolder();
  let fleet: Fleet;
  let management: Kubectl;
  let workloads: ReadonlyMap<string, Kubectl>;

  withDemo.before(async () => {
    fleet = await startFleet();
    management = new Kubectl(fleet.reported.management, home.path);
    workloads = new Map(
      fleet.reported.workloads.map((cluster) => [cluster.plan.name, new Kubectl(cluster, home.path)] as const),
    );
  });
  withDemo.after(async () => {
    await fleet[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });

  const workload = (name: string): Kubectl => {
    const found = workloads.get(name);
    assert.ok(found);
    return found;
  };
  /** Generated objects that kubectl lists in a cluster. */
  const managed = async (kubectl: Kubectl): Promise<readonly Listed[]> => {
    const kinds = [istio, osm, envoy].flatMap(({ writes }) => writes);
    const groups = new Set(kinds.map(({ group }) => group));
    const names = await Promise.all(
      [...groups].map((group) => kubectl.run(`api-resources --api-group=${group} -o name`)),
    );
    const resources = names.flatMap((text) => text.split('\n')).filter((name) => name !== '');
    if (resources.length === 0) return [];
    const list = await kubectl.run(`get ${resources.join(',')} -A -l meshrelay.dev/owner -o json`);
    return (JSON.parse(list) as { items: readonly Listed[] }).items;
  };
  const counts = async (kubectl: Kubectl): Promise<Record<string, number>> => {
    const counted: Record<string, number> = {};
    for (const { kind } of await managed(kubectl)) counted[kind] = (counted[kind] ?? 0) + 1;
    return counted;
  };

  withDemo('finds in each cluster exactly the objects that the summary counts', async () => {
    const { clusters, outputs } = summarise(fleet.reported, 0);
    assert.ok(clusters.length >= 3);
    let total = 0;
    for (const { name, outputs: expected } of clusters) {
      const found = await counts(workload(name));
      assert.equal(found, expected, name);
      total += Object.values(found).reduce((sum, count) => sum + count, 0);
    }
    assert.is(total, outputs);
    assert.ok(total > 0);
  });

  withDemo('finds in each cluster exactly the translation of its files by meshctl', async () => {
    const config = [POLICIES, LIBRARY_POLICIES].flatMap((path) => ['--config', path]);
    const stdout = await meshctl(['translate', '-o', 'json', ...config, ...(await filesOf(workloads))]);
    const { items } = JSON.parse(stdout) as { items: ReadonlyArray<{ cluster: string; object: Listed }> };
    for (const [name, kubectl] of workloads) {
      const translated = items.filter(({ cluster }) => cluster === name).map(({ object }) => object);
      assert.equal(specs(await managed(kubectl)), specs(translated), name);
    }
  });

  withDemo('finds on each policy the status that meshctl computes from files, in every state', async () => {
    const west = workload('cluster-2');
    const objectsOfAll = (): Promise<unknown> => Promise.all([...workloads.values()].map(counts));
    const before = await objectsOfAll();
    const files = (kubectl: Kubectl, name: string, objects: readonly object[]): string =>
      objects.map((object, index) => `-f ${kubectl.file(`${name}-${index}.json`, object)}`).join(' ');
    const [unmanaged, own] = [
      files(management, 'fate', POLICIES_OF_EVERY_STATE),
      files(west, 'fate-west', POLICIES_IN_WEST),
    ];
    await management.run(`apply ${unmanaged}`);
    await west.run(`apply ${own}`);
    let online: Reported = {};
    let offline: Reported = {};
    let attempts = 0;
    await eventually(
      'the same to be said on the clusters as offline',
      async () => {
        const folder = join(home.path, `offline-${attempts++}`);
        online = await reportedOnClusters(management, workloads);
        offline = await reportedOffline(management, workloads, folder);
        return isDeepStrictEqual(online, offline);
      },
      { ...SECONDS, seen: () => differences(online, offline) },
    );
    const states = new Set(Object.values(online).map((status) => (status as { readonly state?: string }).state));
    assert.ok(
      Object.keys(online).length > POLICIES_OF_EVERY_STATE.length + POLICIES_IN_WEST.length + 10,
      Object.keys(online).join(),
    );
    assert.equal([...states].sort(), ['ACCEPTED', 'CONFLICT', 'DEGRADED', 'INVALID', 'PENDING']);
    await management.run(`delete ${unmanaged}`);
    await west.run(`delete ${own}`);
    await eventually('all of it to go', async () => isDeepStrictEqual(await objectsOfAll(), before), SECONDS);
  });

  withDemo('watches the VirtualService follow an edit of its policy', async () => {
    const watch = workload('cluster-1').start(`${ROUTE} -w -o jsonpath={.spec.http[0].route[*].weight}{"\\n"}`);
    try {
      await eventually('the route as it is', () => watch.said().includes('75 15 10'), { seen: watch.said });
      const editor = join(home.path, 'editor.sh');
      writeFileSync(editor, '#!/bin/sh\nsed -i -e "s/weight: 75/weight: 60/" -e "s/weight: 15/weight: 30/" "$1"\n', {
        mode: 0o700,
      });
      const edited = await management.run('-n meshrelay edit trafficpolicy reviews-canary', { KUBE_EDITOR: editor });
      assert.match(edited, 'trafficpolicy.networking.meshrelay.dev/reviews-canary edited');
      await eventually('the route as edited', () => watch.said().includes('60 30 10'), {
        ...SECONDS,
        seen: watch.said,
      });
    } finally {
      watch.kill();
    }
  });

  for (const { side, flags } of [
    { side: 'client', flags: '' },
    { side: 'server', flags: ' --server-side' },
  ]) {
    withDemo(`applies, changes and deletes a policy, ${side}-side`, async () => {
      const west = workload('cluster-2');
      const before = await counts(west);
      const route = '-n bookshop get virtualservice meshrelay-ratings --ignore-not-found';
      const timeout = (): Promise<string> => west.run(`${route} -o jsonpath={.spec.http[*].timeout}`);
      for (const required of ['3s', '4s']) {
        const file = management.file(`policy-${side}.json`, ratingsTimeout(required));
        await management.run(`apply${flags} -f ${file}`);
        await eventually(`a timeout of ${required}`, async () => (await timeout()) === required, SECONDS);
      }
      await eventually(
        'its state',
        async () =>
          (await management.run('-n meshrelay get trafficpolicy ratings-timeout -o jsonpath={.status.state}')) ===
          'ACCEPTED',
        SECONDS,
      );
      await management.run('-n meshrelay delete trafficpolicy ratings-timeout');
      await eventually('the VirtualService to go', async () => (await west.run(route)) === '', SECONDS);
      assert.equal(await counts(west), before);
    });
  }

  withDemo('recreates objects that kubectl deletes', async () => {
    const east = workload('cluster-1');
    const spec = `${ROUTE} --ignore-not-found -o jsonpath={.spec}`;
    const before = await east.run(spec);
    assert.ok(before.length > 2);
    await east.run('-n bookshop delete virtualservice meshrelay-reviews');
    await eventually('the VirtualService to come back', async () => (await east.run(spec)) === before, SECONDS);
  });

  withDemo.run();
}

if (await kubectlIsThere()) kubectlTests();
else {
  test('SKIPPED', () => console.log('SKIPPED kubectl not found'));
  test.run();
}
