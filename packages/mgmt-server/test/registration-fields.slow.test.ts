/**
 * No field of a KubernetesCluster is silent: each changes the status of the cluster or what its agent applies, or
 * translation reads it, which golden cases of plugin-istio show.
 */
import type { KubernetesClusterStatus } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster, kubernetesCluster, timeoutPolicy } from './support/discovered.ts';
import { ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

/** Fields that only translation reads: see silent-fields.slow.test.ts of plugin-istio. */
const OF_TRANSLATION = ['clusterDomain', 'gatewayAddresses', 'trustDomains'];

/** A value other than the default. */
const VALUES: Readonly<Record<string, unknown>> = {
  draining: true,
  paused: true,
  secretName: 'nowhere',
  suspended: true,
};

test('every field of the schema is tried', () => {
  const crd = crds.find(({ spec }) => spec.names.kind === 'KubernetesCluster');
  const spec = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  assert.equal(Object.keys(spec?.properties ?? {}).sort(), [...Object.keys(VALUES), ...OF_TRANSLATION].sort());
});

for (const [field, value] of Object.entries(VALUES))
  test(`spec.${field} changes the status of the cluster or its outputs`, async () => {
    await using management = await ManagementCluster.start(['c1'], [timeoutPolicy('slow', 'c1')]);
    await using server = await management.startServer();
    using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
    agent.connect(await management.enrol(server, 'c1'));
    const cluster = kubernetesCluster('c1');
    const seen = (): string => {
      const { state, conditions = [] } = management.live<KubernetesClusterStatus>(cluster)?.status ?? {};
      const facts = conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
      return JSON.stringify([state, facts, [...agent.applied.values()].map(({ metadata, spec }) => [metadata, spec])]);
    };
    const isSettled = (): boolean => agent.applied.size > 0 && /"CONNECTED".*OutputsCurrent True/.test(seen());
    await eventually('all is well', isSettled, { seen });
    const before = seen();
    management.update({ ...management.live(cluster), ...cluster, spec: { [field]: value } });
    await eventually('something else is seen', () => seen() !== before && !/"PENDING"/.test(seen()), { seen });
  });

test.run();
