/** Explanations as text: the tables omit nothing. */
import type { DestinationExplanation, ExplainedCallers, PolicyExplanation } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { explainText } from '../src/explain/explain-text.ts';
import { valueText } from '../src/explain/words.ts';

const mesh = (cluster: string) => ({ cluster, namespace: 'istio-system', name: 'istiod', type: 'istio' });
const target = { kind: 'Destination' as const, cluster: 'c1', namespace: 'shop', name: 'a' };
const all = { kind: 'VirtualMesh', cluster: '', namespace: 'meshrelay', name: 'all' } as const;
const report = { code: 'NO_GATEWAY', severity: 'error', field: 'spec.federation', message: 'none is there' } as const;
const output = { cluster: 'c2', apiVersion: 'v1', kind: 'ServiceEntry', namespace: 'istio-system', name: 'one' };

const destination: DestinationExplanation = {
  about: 'destination',
  destination: target,
  hostname: 'a.shop.svc.cluster.local',
  ports: [],
  serviceAccounts: [],
  policies: [{ policy: all, state: 'PENDING', sequence: 7 }],
  visibleTo: [],
  virtualDestinations: [],
  patches: [],
  notApplied: [{ policy: all, state: 'PENDING', report }],
  outputs: [
    { ...output, written: true },
    { ...output, name: 'two', written: false },
  ],
};

type Federation = NonNullable<DestinationExplanation['federation']>;

function federated(more: Partial<Federation>): string {
  const federation = { hostname: 'a.shop.svc.c1.global', virtualMesh: all, consumers: [], unavailableTo: [], ...more };
  return explainText({ ...destination, federation });
}

test('which meshes know a destination, at which address if it differs, and which cannot reach it', () => {
  const address = '240.0.0.1';
  const consumers = [
    { ...mesh('c2'), address },
    { ...mesh('c3'), address: 'fd6d:6573:6872::f000:1' },
  ];
  const text = federated({ address, consumers, unavailableTo: [mesh('c4'), mesh('c5')] });
  assert.match(text, /Virtual IP: +240\.0\.0\.1\n/);
  assert.match(
    text,
    / To: +istio mesh istio-system\/istiod of c2, istio mesh istio-system\/istiod of c3 \(fd6d:6573:6872::f000:1\)\n/,
  );
  assert.match(
    text,
    / Unreachable from: +istio mesh istio-system\/istiod of c4, istio mesh istio-system\/istiod of c5\n/,
  );
});

test('a destination that no mesh can reach, or that has no address yet', () => {
  assert.match(
    federated({ unavailableTo: [mesh('c2')] }),
    /Virtual IP: +none yet\n +To: +no mesh yet\n +Unreachable from: /,
  );
  assert.not.match(federated({ address: '240.0.0.1' }), /Unreachable from/);
  assert.not.match(explainText(destination), /Virtual IP|To:|Unreachable from/);
});

test('a mesh to which a name is not applied is not listed among those that have it', () => {
  const consumers = [{ ...mesh('c2'), address: '240.0.0.1' }];
  const text = federated({ address: '240.0.0.1', consumers, notFederatedTo: [mesh('c3')] });
  assert.match(
    text,
    / To: +istio mesh istio-system\/istiod of c2\n +Not federated to: +istio mesh istio-system\/istiod of c3\n/,
  );
  assert.not.match(federated({ address: '240.0.0.1', consumers }), /Not federated to/);
});

test('policies in their order, unapplied parts with the reason, and objects that are not written', () => {
  const text = explainText(destination);
  assert.match(text, /VirtualMesh meshrelay\/all +PENDING +7\n/);
  assert.match(text, /\n {2}VirtualMesh meshrelay\/all\n {4}error NO_GATEWAY at spec\.federation\n {6}none is there\n/);
  assert.match(text, /c2 +ServiceEntry +istio-system +one *\n/);
  assert.match(text, /c2 +ServiceEntry +istio-system +two +not applied\n/);
});

test('a policy: the reports of each target, and the number of targets beyond those listed', () => {
  const policy: PolicyExplanation = {
    about: 'policy',
    policy: all,
    state: 'PENDING',
    conditions: [],
    reports: [],
    targetCount: 53,
    targets: [{ target, state: 'PENDING', effects: [], reports: [report] }],
    patches: [],
    outputs: [],
  };
  assert.match(
    explainText(policy),
    /Destination shop\/a of c1: PENDING\n {2}error NO_GATEWAY at spec\.federation\n {4}none/,
  );
  assert.match(explainText(policy), /\nand 52 more targets\n/);
  assert.match(explainText({ ...policy, targetCount: 2 }), /\nand 1 more target\n/);
  assert.not.match(explainText({ ...policy, targetCount: 1 }), /more target/);
});

test('a name in a policy that does not exist, with a suggestion', () => {
  const service = (name: string) => ({ kind: 'Destination', cluster: 'c1', namespace: 'shop', name });
  const mesh = (name: string) => ({ kind: 'Mesh', cluster: '', namespace: 'meshrelay', name });
  const text = explainText({
    about: 'policy',
    policy: all,
    state: 'PENDING',
    conditions: [],
    reports: [],
    missing: [
      { field: 'spec.policy.mirror.kubeService', ref: service('crat'), likely: [service('cart'), service('card')] },
      { field: 'spec.meshes[0]', ref: mesh('istiod'), likely: [] },
    ],
    targetCount: 0,
    targets: [],
    patches: [],
    outputs: [],
  });
  const line = / {2}Destination shop\/crat of c1: did you mean shop\/cart of c1, or shop\/card of c1\?\n/;
  assert.match(text, line);
  assert.not.match(text, /meshrelay\/istiod/);
});

test('the callers of a policy: how many run, how many no mesh can identify, and a suggestion', () => {
  const field = 'spec.sourceSelector[0]';
  const at = { field, count: 0, workloads: [], outsideMeshes: 0 };
  const workload = (name: string) => ({ kind: 'Workload', cluster: 'c1', namespace: 'shop', name });
  const reported = (more: Partial<ExplainedCallers>): string =>
    explainText({
      about: 'policy',
      policy: all,
      state: 'ACCEPTED',
      conditions: [],
      reports: [],
      callers: [{ ...at, ...more }],
      targetCount: 0,
      targets: [],
      patches: [],
      outputs: [],
    });
  assert.match(
    reported({}),
    /\nSelected callers\n {2}FIELD +WORKLOADS\n {2}spec\.sourceSelector\[0\] {3}none is running\n/,
  );
  assert.match(reported({ likely: 'cart' }), / none is running \(did you mean cart\?\)\n/);
  assert.match(reported({ outsideMeshes: 2 }), / none, but 2 outside every mesh, which no mesh can identify\n/);
  const some = { count: 3, workloads: [workload('cart'), workload('till')] };
  assert.match(reported(some), / 3: shop\/cart of c1, shop\/till of c1 and 1 more\n/);
  assert.match(reported({ ...some, count: 2, outsideMeshes: 1 }), /till of c1; and 1 outside every mesh, /);
});

test('relative weights of a shift are shown as percents, and a small one is not shown as 0', () => {
  const shown = (...weights: readonly number[]) => {
    const value = weights.map((weight, nth) => ({ weight, hostname: `v${nth + 1}`, port: 80 }));
    return valueText({ field: 'trafficShift', value, from: [] });
  };
  assert.is(shown(1, 1, 1), '34% v1:80, 33% v2:80, 33% v3:80');
  assert.is(shown(0, 5), '0% v1:80, 100% v2:80');
  assert.is(shown(1, 999), '<1% v1:80, 100% v2:80');
});

test.run();
