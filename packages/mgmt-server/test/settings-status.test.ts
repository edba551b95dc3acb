/** What becomes of Settings is told on the object itself. */
import type { KubeObject, SettingsSpec, SettingsStatus } from '@meshrelay/api';
import { assert, eventually, test } from '@meshrelay/testing';
import { kubernetesCluster } from './support/discovered.ts';
import { ManagementCluster } from './support/management.ts';

function settings(spec: SettingsSpec, name = 'settings'): KubeObject {
  return {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Settings',
    metadata: { name, namespace: 'meshrelay' },
    spec,
  };
}

async function judged(management: ManagementCluster, object: KubeObject, codes: readonly string[]) {
  const status = (): SettingsStatus | undefined => management.live<SettingsStatus>(object)?.status;
  await eventually(
    `it is told ${codes.join()}`,
    () =>
      status()?.state !== undefined &&
      status()
        ?.reports?.map(({ code }) => code)
        .join() === codes.join(),
    { seen: status },
  );
  return status();
}

test('settings in force say so; a consent or cluster that is not known is named, with what was likely meant', async () => {
  await using management = await ManagementCluster.start(['c1'], []);
  await using _server = await management.startServer();
  const good = settings({ patches: { istio: { meshConfig: true } } });
  management.create(good);
  const status = await judged(management, good, []);
  assert.is(status?.state, 'ACCEPTED');
  assert.ok((status?.observedGeneration ?? 0) > 0);

  management.update(
    settings({
      patches: { istio: { meshConfigs: true } },
      discovery: { istio: { ingressGatewayDetectors: { '*': {}, c2: { gatewayTlsPortName: 'tls' } } } },
    }),
  );
  const doubted = await judged(management, good, ['UNKNOWN_CONSENT', 'UNKNOWN_CLUSTER']);
  assert.is(doubted?.state, 'DEGRADED');
  assert.match(doubted?.reports?.[0]?.message ?? '', 'did you mean spec.patches.istio.meshConfig?');
  assert.match(doubted?.reports?.[1]?.message ?? '', 'is for a cluster that is not registered; did you mean c1?');

  management.create(kubernetesCluster('c2'));
  await judged(management, good, ['UNKNOWN_CONSENT']);
});

test('settings of another name are told that they do not count', async () => {
  await using management = await ManagementCluster.start(['c1'], []);
  await using _server = await management.startServer();
  const other = settings({}, 'my-settings');
  management.create(other);
  const status = await judged(management, other, ['NOT_IN_FORCE']);
  assert.is(status?.state, 'INVALID');
  assert.match(status?.reports?.[0]?.message ?? '', 'only the object named settings counts');
});

test.run();
