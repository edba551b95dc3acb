/** Statuses always have room for the conditions about outputs. */
import { MAX_STATUS_BYTES } from '@meshrelay/api';
import { type ComputedStatus, MANAGEMENT_CLUSTER, policyKey, setObject } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { Connections } from '../../src/relay/connections.ts';
import { PolicyOutcomes } from '../../src/status/policy-outcomes.ts';
import { PolicyRejections } from '../../src/status/policy-rejections.ts';
import { destination, kubernetesCluster, mesh } from '../support/discovered.ts';
import { newFleet } from '../support/fleet.ts';

const SERVICES = 10_000;
const CLUSTER = 'c1'.padEnd(60, 'x');
const HOME = 'bookinfo'.padEnd(60, 'x');
const PEER = 'elsewhere'.padEnd(60, 'x');

const trafficPolicy = (name: string, requestTimeout: string, selector: object) => ({
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'TrafficPolicy',
  metadata: { name, namespace: 'meshrelay' },
  spec: { destinationSelector: [selector], policy: { requestTimeout } },
});

/** The second policy conflicts with the first on ten thousand Services, and has an effect on one. */
async function fleetOfMany() {
  const fleet = newFleet();
  await fleet.write((transaction, fleetState) => {
    const declared = [
      kubernetesCluster(CLUSTER),
      trafficPolicy('first', '1s', { kubeServiceMatcher: { namespaces: [HOME] } }),
      trafficPolicy('second', '2s', {}),
    ];
    for (const object of declared) setObject(transaction, fleetState, MANAGEMENT_CLUSTER, object);
    setObject(transaction, fleetState, CLUSTER, mesh(CLUSTER));
    setObject(transaction, fleetState, CLUSTER, destination(CLUSTER, 'alone', 1, PEER));
    for (let index = 0; index < SERVICES; index += 1)
      setObject(transaction, fleetState, CLUSTER, destination(CLUSTER, `s${index}-`.padEnd(60, 'x'), 1, HOME));
  });
  const connections = new Connections();
  const rejections = new PolicyRejections(fleet.controlPlane, connections);
  const outcomes = new PolicyOutcomes({
    fleet,
    connections,
    rejections,
    outputs: { begun: true, hashOf: () => undefined },
    vector: () => new Map(),
    digests: () => new Map(),
    safeMode: () => ({
      active: false,
      unsyncedKinds: [],
      unsyncedClusters: [],
      pendingClusters: [],
      unsyncedSuspendedClusters: [],
    }),
  });
  outcomes.waitNoLonger();
  const second = {
    kind: 'TrafficPolicy',
    cluster: MANAGEMENT_CLUSTER,
    namespace: 'meshrelay',
    name: 'second',
  } as const;
  const evaluated = fleet.controlPlane.statuses.get(policyKey(second));
  if (evaluated === undefined) throw new Error('the policy has no status');
  return { fleet, connections, rejections, outcomes, evaluated };
}

/** Size as stored. */
function bytes(status: ComputedStatus): number {
  const conditions = status.conditions.map((one) => ({ ...one, lastTransitionTime: '2026-01-01T00:00:00.000Z' }));
  return new TextEncoder().encode(JSON.stringify({ ...status, conditions })).length;
}

test('ten thousand targets, a rejection and a disconnected cluster: the status reports all, within its size', async () => {
  const { fleet, connections, rejections, outcomes, evaluated } = await fleetOfMany();

  const away = outcomes.statusOf(evaluated);
  assert.is(away.state, 'CONFLICT');
  assert.is(away.targetCount, SERVICES + 1);
  assert.equal(
    away.conditions.map(({ type, reason }) => `${type} ${reason}`),
    ['Applied Disconnected', 'Stale Disconnected'],
  );
  assert.ok(bytes(away) <= MAX_STATUS_BYTES, `${bytes(away)} bytes`);
  assert.equal(away.targets, evaluated.status.targets, 'the targets that offline commands list, too');
  assert.ok(away.targets.length > 0);

  const [output] = [...fleet.controlPlane.desired.entries()].filter(([, { object, kind }]) => {
    return kind.kind === 'VirtualService' && object.metadata.namespace === PEER;
  });
  if (output === undefined) throw new Error('nothing follows from the policy');
  const [, { kind, object }] = output;
  const { name, namespace = '' } = object.metadata;
  const reason = 'it is not what it should be '.repeat(400);
  connections.refused(CLUSTER, [
    {
      key: { group: kind.group, version: kind.version, kind: kind.kind, namespace, name },
      hash: 'h',
      code: 'C',
      reason,
    },
  ]);
  rejections.update(CLUSTER);
  const refused = outcomes.statusOf(evaluated);
  assert.is(refused.state, 'FAILED');
  assert.equal(
    refused.conditions.map(({ type, reason: why }) => `${type} ${why}`),
    ['Applied OutputsRejected', 'Stale Disconnected'],
  );
  assert.ok(bytes(refused) <= MAX_STATUS_BYTES, `${bytes(refused)} bytes`);
  assert.match(refused.reports[0]?.message ?? '', /could not be applied .*it is not what it should be/);
  assert.is(refused.targetCount, SERVICES + 1);
  // Done at once here; a server does it when idle.
  fleet.controlPlane.compact();
  assert.ok(refused.targets.length > 0 && refused.targets.every(({ reports }) => reports.length > 0));
});

test.run();
