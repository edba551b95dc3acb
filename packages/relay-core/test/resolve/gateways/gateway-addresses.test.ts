/** Addresses of gateways: a cluster cannot use an address of another. */
import type { Destination, KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE } from '../../support/base-fleet.ts';
import { key } from '../../support/core.ts';
import { planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

/**
 * The base fleet, with these gateway addresses per cluster. @param listed gateway addresses that KubernetesClusters
 * list, by cluster
 */
function fleet(
  addresses: Readonly<Record<string, string | readonly string[]>>,
  synced: readonly string[],
  listed: Readonly<Record<string, readonly string[]>> = {},
) {
  const others = BASE.filter(({ object }) => object.metadata.name !== 'gw');
  const pattern = BASE.find(({ object }) => object.metadata.name === 'gw') as Placed;
  const gateways = Object.entries(addresses).map(([cluster, ips]): Placed => {
    const { spec, ...rest } = pattern.object as Destination;
    const kubeService = { ...spec.kubeService, externalAddresses: [ips].flat().map((ip) => ({ ip })) };
    const ref = { ...kubeService.ref, clusterName: cluster };
    return { cluster, object: { ...rest, spec: { ...spec, kubeService: { ...kubeService, ref } } } };
  });
  const ledger = {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Ledger',
    metadata: { name: 'ledger-clusters', namespace: 'meshrelay' },
    spec: { clusters: synced.map((name, day) => ({ name, firstSyncTime: `2026-01-0${day + 1}T00:00:00Z` })) },
  } as unknown as KubeObject;
  const clusters = Object.entries(listed).map(([name, gatewayAddresses]): Placed => {
    const apiVersion = 'multicluster.meshrelay.dev/v1alpha1';
    const metadata = { name, namespace: 'meshrelay' };
    return {
      cluster: '',
      object: { apiVersion, kind: 'KubernetesCluster', metadata, spec: { gatewayAddresses } } as unknown as KubeObject,
    };
  });
  const { resolved, statuses } = planeOf([...others, ...gateways, ...clusters, { cluster: '', object: ledger }]);
  const gatewaysOf = (cluster: string) => resolved.gateways.get(key(cluster, 'fake', 'cp'));
  const [status] = [...statuses.entries()].map(([, one]) => one.status);
  return {
    endpoints: (cluster: string) =>
      gatewaysOf(cluster)?.gateways.flatMap((one) => one.endpoints.map(({ address }) => address)) ?? [],
    codes: (cluster: string) => gatewaysOf(cluster)?.reports.map(({ code }) => code) ?? [],
    stateOf: (cluster: string) => status?.targets.find((target) => target.cluster === cluster)?.state,
  };
}

test('of two clusters with one address, in any spelling, the one that synced first keeps it', () => {
  const { endpoints, codes, stateOf } = fleet({ c1: '::ffff:198.51.100.7', c2: '198.51.100.7' }, ['c2', 'c1']);
  assert.equal(endpoints('c2'), ['198.51.100.7']);
  assert.equal(codes('c2'), []);
  assert.equal(endpoints('c1'), []);
  assert.equal(codes('c1'), ['GATEWAY_ADDRESS_CONFLICT']);
  assert.equal([stateOf('c1'), stateOf('c2')], ['PENDING', 'ACCEPTED']);
});

test('a cluster missing in the ledger comes after a recorded one; among missing ones the first by name keeps it', () => {
  const known = fleet({ c1: '198.51.100.7', c2: '198.51.100.7' }, ['c2']);
  assert.equal([known.endpoints('c1').length, known.endpoints('c2').length], [0, 1]);
  const unknown = fleet({ c1: '198.51.100.7', c2: '198.51.100.7' }, []);
  assert.equal([unknown.endpoints('c1').length, unknown.endpoints('c2').length], [1, 0]);
});

test('an address listed for one cluster is rejected for others, regardless of sync order, even if unused', () => {
  const same = { c1: '198.51.100.7', c2: '198.51.100.7' };
  const { endpoints, codes } = fleet(same, ['c1', 'c2'], { c2: ['::ffff:198.51.100.7'] });
  assert.equal([endpoints('c1'), codes('c1')], [[], ['GATEWAY_ADDRESS_CONFLICT']]);
  assert.equal([endpoints('c2'), codes('c2')], [['198.51.100.7'], []]);
  const early = fleet({ c1: '198.51.100.7', c2: '198.51.100.8' }, ['c1'], { c2: ['198.51.100.7', '198.51.100.8'] });
  assert.equal([early.endpoints('c1'), early.codes('c1')], [[], ['GATEWAY_ADDRESS_CONFLICT']]);
});

test('a gateway of a cluster with listed addresses has no others', () => {
  const { endpoints, codes } = fleet({ c1: '198.51.100.7', c2: 'GW.example.' }, [], { c1: [], c2: ['gw.example'] });
  assert.equal([endpoints('c1'), codes('c1')], [[], ['GATEWAY_ADDRESS_NOT_LISTED']]);
  assert.equal([endpoints('c2'), codes('c2')], [['GW.example.'], []]);
});

test('among clusters that list one address, the one that synced first keeps it', () => {
  const same = { c1: '198.51.100.7', c2: '198.51.100.7' };
  const { endpoints, codes } = fleet(same, ['c2', 'c1'], { c1: ['198.51.100.7'], c2: ['198.51.100.7'] });
  assert.equal([endpoints('c1'), codes('c1')], [[], ['GATEWAY_ADDRESS_CONFLICT']]);
  assert.equal(endpoints('c2'), ['198.51.100.7']);
});

test('addresses of a gateway that another cluster has are rejected, each with a report; the others stay', () => {
  const several = { c1: '198.51.100.7', c2: ['198.51.100.8', '198.51.100.7', '127.0.0.1', '198.51.100.9'] };
  const { endpoints, codes, stateOf } = fleet(several, ['c1', 'c2']);
  assert.equal([endpoints('c1'), codes('c1')], [['198.51.100.7'], []]);
  assert.equal(endpoints('c2').toSorted(), ['198.51.100.8', '198.51.100.9']);
  assert.equal(codes('c2').toSorted(), ['GATEWAY_ADDRESS_CONFLICT', 'GATEWAY_ADDRESS_UNUSABLE']);
  assert.is(stateOf('c1'), 'ACCEPTED');
});

test('addresses with a special meaning for every host are rejected', () => {
  const { endpoints, codes } = fleet({ c1: '240.0.1.1', c2: '127.0.0.1' }, []);
  assert.equal([endpoints('c1'), endpoints('c2')], [[], []]);
  assert.equal([codes('c1'), codes('c2')], [['GATEWAY_ADDRESS_UNUSABLE'], ['GATEWAY_ADDRESS_UNUSABLE']]);
});

test.run();
