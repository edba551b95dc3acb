/**
 * Which policies act on which destination, compared with a direct implementation of the workspace rules without any
 * index.
 */
import type { KubeObject, PolicyRef, WorkspaceNamespace, WorkspaceShare } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { key, policyKey } from '../../support/core.ts';
import { planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

const MANAGEMENT = 'meshrelay';
const CLUSTERS = ['c1', 'c2'] as const;
const NAMESPACES = ['x', 'y', 'z'] as const;
const WORKSPACES = ['one', 'two', 'three'] as const;

interface Ref extends PolicyRef {
  /** From the ledger; absent if it has none. */
  readonly sequence?: number;
}

interface Claimed {
  readonly name: string;
  readonly namespaces?: readonly WorkspaceNamespace[];
}

interface Of<Spec> {
  readonly ref: Ref;
  readonly spec: Spec;
}

interface Operation {
  /** Selects only services with the label; otherwise all. */
  readonly requiresPublic: boolean;
  /** Mirrors requests to a service, given by its index. */
  readonly mirrors?: number;
}

interface FleetState {
  /** Labels of the known namespaces, by `cluster/namespace`. */
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly services: ReadonlyArray<{
    readonly cluster: string;
    readonly namespace: string;
    readonly isPublic: boolean;
  }>;
  readonly workspaces: ReadonlyArray<Of<{ readonly clusters: readonly Claimed[] }>>;
  readonly settings: ReadonlyArray<
    Of<{ readonly exportTo?: readonly WorkspaceShare[]; readonly importFrom?: readonly WorkspaceShare[] }>
  >;
  readonly policies: ReadonlyArray<Of<Operation>>;
}

type Service = FleetState['services'][number];

const label = fc.constantFrom<Record<string, string>>({}, { team: 'a' }, { team: 'b' }, { team: 'a', tier: '1' });
const namespaceItem: fc.Arbitrary<WorkspaceNamespace> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NAMESPACES).map((name) => ({ name })) },
  { weight: 2, arbitrary: label.map((labels) => ({ labels })) },
);
const claimed: fc.Arbitrary<Claimed> = fc.oneof(
  fc.record(
    { name: fc.constantFrom('c1', 'c2', '*'), namespaces: fc.array(namespaceItem, { maxLength: 2 }) },
    { requiredKeys: ['name'] },
  ),
  fc
    .uniqueArray(fc.constantFrom(...NAMESPACES), { minLength: 1, maxLength: 2 })
    .map((names) => ({ name: '', namespaces: names.map((name) => ({ name })) })),
);
const share: fc.Arbitrary<WorkspaceShare> = fc.record(
  {
    workspace: fc.constantFrom(...WORKSPACES).map((name) => ({ name })),
    resources: fc.array(
      fc.record(
        {
          kind: fc.constant('Destination' as const),
          namespace: fc.constantFrom(...NAMESPACES),
          labels: fc.constantFrom<Record<string, string>>({}, { public: 'true' }, { public: 'true', tier: 'x' }),
        },
        { requiredKeys: ['kind'] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['workspace'] },
);
const shares = fc.array(share, { maxLength: 3 });
const cluster = fc.constantFrom('', ...CLUSTERS);
const place = (kind: string): fc.Arbitrary<Ref> =>
  fc.record(
    {
      kind: fc.constant(kind),
      cluster,
      namespace: fc.constantFrom(...NAMESPACES),
      name: fc.constantFrom('p', 'q', 'r'),
      sequence: fc.nat(50),
    },
    { requiredKeys: ['kind', 'cluster', 'namespace', 'name'] },
  );
const workspacePlace: fc.Arbitrary<Ref> = fc.record(
  {
    kind: fc.constant('Workspace'),
    cluster: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant('c1') }),
    namespace: fc.oneof({ weight: 9, arbitrary: fc.constant(MANAGEMENT) }, { weight: 1, arbitrary: fc.constant('x') }),
    name: fc.constantFrom(...WORKSPACES),
    sequence: fc.nat(50),
  },
  { requiredKeys: ['kind', 'cluster', 'namespace', 'name'] },
);
const policyPlace = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(place('TrafficPolicy'), place('AccessPolicy')) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('TrafficPolicy', 'AccessPolicy'), cluster).map(([kind, at]): Ref => {
      return { kind, cluster: at, namespace: MANAGEMENT, name: 'p' };
    }),
  },
);
const distinct = <T extends { readonly ref: Ref }>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.uniqueArray(item, { maxLength, selector: ({ ref }) => policyKey(ref) });

/**
 * Two workspaces that share services, which random ones hardly ever do: `one` has x in c1, `two` has y in all clusters
 * and imports from `one`.
 */
const agreed: fc.Arbitrary<Pick<FleetState, 'workspaces' | 'settings' | 'policies'>> = fc
  .record({ offer: share, operation: share })
  .map(({ offer, operation }) => {
    const of = (kind: string, at: string, namespace: string, name: string): Ref => ({
      kind,
      cluster: at,
      namespace,
      name,
      sequence: 0,
    });
    const workspace = (name: string, at: string, namespace: string) => ({
      ref: of('Workspace', '', MANAGEMENT, name),
      spec: { clusters: [{ name: at, namespaces: [{ name: namespace }] }] },
    });
    return {
      workspaces: [workspace('one', 'c1', 'x'), workspace('two', '*', 'y')],
      policies: ['TrafficPolicy', 'AccessPolicy'].map((kind) => ({
        ref: of(kind, 'c1', 'y', 'p'),
        spec: { requiresPublic: false },
      })),
      settings: [
        {
          ref: of('WorkspaceSettings', 'c1', 'x', 'p'),
          spec: { exportTo: [{ ...offer, workspace: { name: 'two' } }] },
        },
        {
          ref: of('WorkspaceSettings', 'c2', 'y', 'p'),
          spec: { importFrom: [{ ...operation, workspace: { name: 'one' } }] },
        },
      ],
    };
  });

/** The first of each name. */
function firstOfEach<T extends { readonly ref: Ref }>(list: readonly T[]): T[] {
  return [...new Map(list.toReversed().map((item) => [policyKey(item.ref), item])).values()].reverse();
}

const fleetState: fc.Arbitrary<FleetState> = fc
  .record({
    namespaces: fc.dictionary(
      fc.tuple(fc.constantFrom(...CLUSTERS), fc.constantFrom(...NAMESPACES)).map((parts) => parts.join('/')),
      label,
      { noNullPrototype: true },
    ),
    agreed: fc.option(agreed, { nil: { workspaces: [], settings: [], policies: [] } }),
    publicOnes: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    workspaces: distinct(
      fc.record({
        ref: workspacePlace,
        spec: fc.record({
          clusters: fc.uniqueArray(claimed, { minLength: 1, maxLength: 2, selector: ({ name }) => name }),
        }),
      }),
      4,
    ),
    settings: distinct(
      fc.record({
        ref: place('WorkspaceSettings'),
        spec: fc.record({ exportTo: shares, importFrom: shares }, { requiredKeys: [] }),
      }),
      5,
    ),
    policies: distinct(
      fc.record({
        ref: policyPlace,
        spec: fc.record({ requiresPublic: fc.boolean(), mirrors: fc.nat(5) }, { requiredKeys: ['requiresPublic'] }),
      }),
      6,
    ),
  })
  .map(({ publicOnes, agreed: first, ...rest }) => {
    const services = CLUSTERS.flatMap((at, row) =>
      NAMESPACES.map((namespace, column) => ({
        cluster: at,
        namespace,
        isPublic: publicOnes[row * NAMESPACES.length + column] === true,
      })),
    );
    const workspaces = firstOfEach([...first.workspaces, ...rest.workspaces]);
    const settings = firstOfEach([...first.settings, ...rest.settings]);
    const policies = firstOfEach([...first.policies, ...rest.policies]);
    return JSON.parse(JSON.stringify({ ...rest, workspaces, settings, policies, services })) as FleetState;
  });

/** The rules, as documented in docs/concepts/workspaces.md. */
class Rules {
  readonly #fleetState: FleetState;

  constructor(one: FleetState) {
    this.#fleetState = one;
  }

  /** The owner of a namespace: of the workspaces that claim it, the one accepted first. */
  homeOf(at: string, namespace: string): string | undefined {
    return this.#fleetState.workspaces
      .filter(({ ref }) => ref.cluster === '' && ref.namespace === MANAGEMENT)
      .filter(({ spec }) => spec.clusters.some((one) => this.#claims(one, at, namespace)))
      .toSorted(byAcceptance)[0]?.ref.name;
  }

  #claims({ name, namespaces = [] }: Claimed, at: string, namespace: string): boolean {
    if (name !== at && (name !== '*' || at === '')) return false;
    const labels = this.#fleetState.namespaces[`${at}/${namespace}`];
    return (
      namespaces.length === 0 ||
      namespaces.some((item) => {
        if (item.name !== undefined) return item.name === namespace;
        const required = Object.entries(item.labels ?? {});
        return required.length === 0 || required.every(([one, value]) => labels?.[one] === value);
      })
    );
  }

  /** Whether both sides agree, by their settings that were accepted first. */
  #imports(importer: string, service: Service): boolean {
    const owner = this.homeOf(service.cluster, service.namespace);
    if (owner === undefined || owner === importer) return false;
    const agrees = (list: readonly WorkspaceShare[] = [], other: string): boolean =>
      list.some(({ workspace, resources = [] }) => {
        const isMeant = resources.some(
          ({ namespace = service.namespace, labels = {} }) =>
            namespace === service.namespace &&
            Object.entries(labels).every(([name, value]) => labelsOf(service)[name] === value),
        );
        return workspace.name === other && (resources.length === 0 || isMeant);
      });
    return agrees(this.#settingsOf(owner)?.exportTo, importer) && agrees(this.#settingsOf(importer)?.importFrom, owner);
  }

  #settingsOf(workspace: string): FleetState['settings'][number]['spec'] | undefined {
    return this.#fleetState.settings
      .filter(({ ref }) => this.homeOf(ref.cluster, ref.namespace) === workspace)
      .toSorted(byAcceptance)[0]?.spec;
  }

  /**
   * Whether the workspace of the policy has or imports the service; a policy outside workspaces may use services
   * outside workspaces.
   */
  maySendTo({ ref }: FleetState['policies'][number], service: Service): boolean {
    const own = this.homeOf(ref.cluster, ref.namespace);
    const owner = this.homeOf(service.cluster, service.namespace);
    if (own !== undefined) return owner === own || this.#imports(own, service);
    return (ref.cluster === '' && ref.namespace === MANAGEMENT) || owner === undefined;
  }

  actsOn({ ref, spec }: FleetState['policies'][number], service: Service): boolean {
    if (spec.requiresPublic && !service.isPublic) return false;
    const own = this.homeOf(ref.cluster, ref.namespace);
    const owner = this.homeOf(service.cluster, service.namespace);
    if (own !== undefined) return owner === own || (ref.kind === 'TrafficPolicy' && this.#imports(own, service));
    if (ref.cluster === '' && ref.namespace === MANAGEMENT) return true;
    return owner === undefined && (ref.cluster === '' || ref.cluster === service.cluster);
  }
}

function byAcceptance({ ref: a }: { readonly ref: Ref }, { ref: b }: { readonly ref: Ref }): number {
  const [one, other] = [a.sequence ?? Number.POSITIVE_INFINITY, b.sequence ?? Number.POSITIVE_INFINITY];
  if (one !== other) return one < other ? -1 : 1;
  const place = (ref: Ref): string => [ref.cluster, ref.namespace, ref.name].join('/');
  return place(a) < place(b) ? -1 : 1;
}

function labelsOf({ isPublic }: Service): Readonly<Record<string, string>> {
  return isPublic ? { public: 'true' } : {};
}

function placed(
  at: string,
  group: string,
  kind: string,
  { name, namespace, labels }: { readonly name: string; readonly namespace?: string; readonly labels?: object },
  spec: object,
): Placed {
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
  };
  const apiVersion = group === '' ? 'v1' : `${group}.meshrelay.dev/v1alpha1`;
  return { cluster: at, object: { apiVersion, kind, metadata, spec } as unknown as KubeObject };
}

function objectsOf({ namespaces, services, workspaces, settings, policies }: FleetState): Placed[] {
  const named =
    (group: string) =>
    ({ ref, spec }: Of<object>) =>
      placed(ref.cluster, group, ref.kind, ref, spec);
  const decided = [...workspaces, ...settings, ...policies].flatMap(({ ref: { sequence, ...ref } }) =>
    sequence === undefined ? [] : [{ ...ref, sequence }],
  );
  return [
    ...Object.entries(namespaces).map(([id, labels]) => {
      const [at = '', name = ''] = id.split('/');
      return placed(at, '', 'Namespace', { name, labels }, {});
    }),
    ...services.map((service) => {
      const ref = { name: 's', namespace: service.namespace, clusterName: service.cluster };
      const kubeService = { ref, labels: labelsOf(service), ports: [], serviceType: 'CLUSTER_IP' };
      return placed(service.cluster, 'discovery', 'Destination', ref, { kubeService });
    }),
    ...workspaces.map(named('admin')),
    ...settings.map(named('admin')),
    ...policies
      .map(({ ref, spec: { requiresPublic, mirrors } }) => {
        const selector = { kubeServiceMatcher: { labels: { public: 'true' } } };
        const target = mirrors === undefined ? undefined : services[mirrors];
        const kubeService = { name: 's', namespace: target?.namespace, clusterName: target?.cluster };
        const rules = target === undefined ? { requestTimeout: '1s' } : { mirror: { kubeService } };
        const policy = ref.kind === 'TrafficPolicy' ? { policy: rules } : {};
        return { ref, spec: { ...(requiresPublic ? { destinationSelector: [selector] } : {}), ...policy } };
      })
      .map(named('networking')),
    placed('', 'admin', 'Ledger', { name: 'ledger', namespace: MANAGEMENT }, { policies: decided }),
  ];
}

test('a policy acts in its workspace and on imports; without a workspace, on unowned services; an admin policy, on all', () => {
  const seen = { own: 0, imported: 0, unassigned: 0 };
  fc.assert(
    fc.property(fleetState, (one) => {
      const plane = planeOf(objectsOf(one));
      const rules = new Rules(one);
      const { trafficPolicies, accessPolicies } = plane.resolved.policies;
      for (const service of one.services) {
        const id = key(service.cluster, service.namespace, 's');
        const found = [...(trafficPolicies.get(id) ?? []), ...(accessPolicies.get(id) ?? [])];
        const expected = one.policies.filter((policy) => rules.actsOn(policy, service));
        assert.equal(
          found.map(({ ref }) => policyKey(ref)).sort(),
          expected.map(({ ref }) => policyKey(ref)).sort(),
          `${service.cluster}/${service.namespace}`,
        );
        for (const { ref } of expected) {
          const own = rules.homeOf(ref.cluster, ref.namespace);
          if (own === undefined) seen.unassigned += 1;
          else if (own === rules.homeOf(service.cluster, service.namespace)) seen.own += 1;
          else seen.imported += 1;
        }
      }
      for (const policy of one.policies)
        assert.is(
          plane.statuses.get(policyKey(policy.ref))?.status.targetCount,
          one.services.filter((service) => rules.actsOn(policy, service)).length,
        );
    }),
    { numRuns: 200 },
  );
  for (const [how, times] of Object.entries(seen)) assert.ok(times > 5, `${how}: ${times}`);
});

test('a policy sends requests only to permitted services; otherwise it is pending, with a report on the field', () => {
  const seen = { granted: 0, refused: 0 };
  fc.assert(
    fc.property(fleetState, (one) => {
      const plane = planeOf(objectsOf(one));
      const rules = new Rules(one);
      for (const policy of one.policies) {
        const { mirrors } = policy.spec;
        const target = mirrors === undefined ? undefined : one.services[mirrors];
        if (target === undefined || policy.ref.kind !== 'TrafficPolicy') continue;
        const granted = rules.maySendTo(policy, target);
        const status = plane.statuses.get(policyKey(policy.ref))?.status;
        const reported = status?.reports.filter(({ field }) => field === 'spec.policy.mirror.kubeService') ?? [];
        assert.equal(
          reported.map(({ code }) => code),
          granted ? [] : ['REF_NOT_PERMITTED'],
        );
        // On an imported service no request may remain to which the policy could apply.
        const own = rules.homeOf(policy.ref.cluster, policy.ref.namespace);
        const actsAsOwner = one.services.some(
          (service) =>
            rules.actsOn(policy, service) &&
            (own === undefined || own === rules.homeOf(service.cluster, service.namespace)),
        );
        if (!granted)
          assert.ok(actsAsOwner ? status?.state === 'PENDING' : status?.state !== 'ACCEPTED', status?.state);
        seen[granted ? 'granted' : 'refused'] += 1;
      }
    }),
    { numRuns: 150 },
  );
  for (const [how, times] of Object.entries(seen)) assert.ok(times > 5, `${how}: ${times}`);
});

test.run();
