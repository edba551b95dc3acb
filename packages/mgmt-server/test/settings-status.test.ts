/** Settings report their effect in their own status. */
import type { KubeObject, SettingsSpec, SettingsStatus } from '@meshrelay/api';
import type { LoadedPlugin, MeshFacts, MtlsMode } from '@meshrelay/relay-core';
import { TEST_PLUGINS } from '@meshrelay/test-mesh';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster, kubernetesCluster } from './support/discovered.ts';
import { ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

function settings(spec: SettingsSpec, name = 'settings'): KubeObject {
  return {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Settings',
    metadata: { name, namespace: 'meshrelay' },
    spec,
  };
}

async function evaluated(management: ManagementCluster, object: KubeObject, codes: readonly string[]) {
  const status = (): SettingsStatus | undefined => management.live<SettingsStatus>(object)?.status;
  await eventually(
    `Settings report ${codes.join()}`,
    () =>
      status()?.state !== undefined &&
      status()
        ?.reports?.map(({ code }) => code)
        .join() === codes.join(),
    { seen: status },
  );
  return status();
}

/** The same plugin, with pods that do not support TLS of that mode. */
function withoutSimpleTls({ plugin, ...rest }: LoadedPlugin): LoadedPlugin {
  const report = { code: 'MTLS_MISMATCH', severity: 'warning', field: 'spec.mtls.istio.tlsMode', message: '' } as const;
  const inboundRules = {
    isOne: () => false,
    namespacesFor: () => [],
    reportsByDefault: (_mesh: MeshFacts, callers: MtlsMode) => (callers === 'SIMPLE' ? [report] : []),
  };
  return { ...rest, plugin: { ...plugin, inboundRules } };
}

test('effective settings report it; an unknown consent or cluster is named, with a similar name', async () => {
  await using management = await ManagementCluster.start(['c1'], []);
  await using _server = await management.startServer();
  const good = settings({ patches: { istio: { meshConfig: true } } });
  management.create(good);
  const status = await evaluated(management, good, []);
  assert.is(status?.state, 'ACCEPTED');
  assert.ok((status?.observedGeneration ?? 0) > 0);

  management.update(
    settings({
      patches: { istio: { meshConfigs: true } },
      discovery: { istio: { ingressGatewayDetectors: { '*': {}, c2: { gatewayTlsPortName: 'tls' } } } },
    }),
  );
  const doubted = await evaluated(management, good, ['UNKNOWN_CONSENT', 'UNKNOWN_CLUSTER']);
  assert.is(doubted?.state, 'DEGRADED');
  assert.match(doubted?.reports?.[0]?.message ?? '', 'did you mean spec.patches.istio.meshConfig?');
  assert.match(doubted?.reports?.[1]?.message ?? '', 'is for a cluster that is not registered; did you mean c1?');

  management.create(kubernetesCluster('c2'));
  await evaluated(management, good, ['UNKNOWN_CONSENT']);
});

test('settings of another name report that they do not count', async () => {
  await using management = await ManagementCluster.start(['c1'], []);
  await using _server = await management.startServer();
  const other = settings({}, 'my-settings');
  management.create(other);
  const status = await evaluated(management, other, ['NOT_EFFECTIVE']);
  assert.is(status?.state, 'INVALID');
  assert.match(status?.reports?.[0]?.message ?? '', 'only the object named settings takes effect');
});

test('callers that connect as Settings configures, and are rejected, are reported as soon as a mesh has them', async () => {
  await using management = await ManagementCluster.start(['c1']);
  await using server = await management.startServer({}, TEST_PLUGINS.map(withoutSimpleTls));
  const simple = settings({ mtls: { istio: { tlsMode: 'SIMPLE' } } });
  management.create(simple);
  await evaluated(management, simple, []);

  await using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.connect(await management.enrol(server, 'c1'));
  const status = await evaluated(management, simple, ['MTLS_MISMATCH']);
  assert.is(status?.state, 'DEGRADED');
  assert.is(status?.reports?.[0]?.field, 'spec.mtls.istio.tlsMode');

  management.update(settings({ mtls: { istio: { tlsMode: 'ISTIO_MUTUAL' } } }));
  await evaluated(management, simple, []);
});

test.run();
