/** What discovery knows, as choices. */
import type { ClusterObjectRef, Destination, DestinationSelector, Workload } from '@meshrelay/api';
import { isRolloutLabel } from '@meshrelay/relay-core';
import { findNamed } from '../describe/find.ts';
import type { KnownFleet } from '../describe/known-fleet.ts';
import { namedDestination } from '../describe/named-objects.ts';
import type { Choice, SeveralQuestion } from './asker.ts';

/** Instead of names: no selector, which means all. */
export const ALL = 'all';

/** `CLUSTER/NAMESPACE/NAME`. */
export function placeText({ clusterName, namespace, name }: ClusterObjectRef): string {
  return `${clusterName}/${namespace}/${name}`;
}

export function serviceText({ spec }: Destination): string {
  return placeText(spec.kubeService.ref);
}

export function workloadText({ spec }: Workload): string {
  return placeText(spec.kubernetes.controller);
}

export function meshChoices({ meshes }: KnownFleet): readonly Choice[] {
  return meshes.map(({ metadata, spec: { type, cluster, installation } }) => ({
    value: metadata.name,
    hint: `${[type, installation.version].filter((part) => part !== undefined).join(' ')} in ${cluster}`,
  }));
}

/** The Services in meshes: policies do not act on others. */
function servicesInMeshes({ destinations }: KnownFleet): readonly Destination[] {
  return destinations.filter(({ spec }) => spec.mesh !== undefined);
}

export function serviceChoices(fleet: KnownFleet): readonly Choice[] {
  return sorted(
    servicesInMeshes(fleet).map((destination) => ({
      value: serviceText(destination),
      hint: `ports ${portsOf(destination).join(', ')}`,
    })),
  );
}

/** Asks for Services, or all. */
export function destinationsQuestion(message: string, fleet: KnownFleet): SeveralQuestion {
  return {
    message,
    choices: [{ value: ALL, label: 'every Service' }, ...serviceChoices(fleet)],
    required: true,
    problem: allAlone,
  };
}

export function workloadChoices({ workloads }: KnownFleet): readonly Choice[] {
  return sorted(
    workloads
      .filter(({ spec }) => spec.mesh !== undefined)
      .map((workload) => ({ value: workloadText(workload), hint: workload.spec.kubernetes.controller.kind })),
  );
}

/** The ServiceAccounts of workloads. */
export function accountsOf({ workloads }: KnownFleet): readonly ClusterObjectRef[] {
  const accounts = workloads.map(({ spec: { kubernetes } }) => ({
    name: kubernetes.serviceAccountName,
    namespace: kubernetes.controller.namespace,
    clusterName: kubernetes.controller.clusterName,
  }));
  return [...new Map(accounts.map((account) => [placeText(account), account])).values()];
}

export function accountChoices(fleet: KnownFleet): readonly Choice[] {
  return sorted(accountsOf(fleet).map((account) => ({ value: placeText(account) })));
}

/** The namespaces of Services in meshes. */
export function namespaceChoices(fleet: KnownFleet): readonly Choice[] {
  const names = servicesInMeshes(fleet).map(({ spec }) => spec.kubeService.ref.namespace);
  return sorted([...new Set(names)].map((value) => ({ value })));
}

export function virtualMeshChoices({ policies }: KnownFleet): readonly Choice[] {
  const found = policies.filter(({ ref }) => ref.kind === 'VirtualMesh' && ref.cluster === '');
  return sorted(found.map(({ ref }) => ({ value: `${ref.namespace}/${ref.name}` })));
}

export function portsOf({ spec }: Destination): readonly number[] {
  return spec.kubeService.ports.map(({ port }) => port);
}

/** Labels that distinguish the pods of a Service, each with its values. */
export function subsetsOf({ spec }: Destination): ReadonlyArray<readonly [label: string, value: string]> {
  return Object.entries(spec.kubeService.subsets ?? {})
    .filter(([label, { values }]) => !isRolloutLabel(label) && values.length > 1)
    .flatMap(([label, { values }]) => values.map((value) => [label, value] as const));
}

/** @throws InputError */
export function findService({ destinations }: KnownFleet, name: string): Destination {
  return findNamed('destination', name, destinations.map(namedDestination));
}

/**
 * Selects Services by name; undefined for {@link ALL}.
 * @throws InputError
 */
export function serviceSelector(
  fleet: KnownFleet,
  names: readonly string[],
): readonly DestinationSelector[] | undefined {
  if (names.length === 0 || names.includes(ALL)) return undefined;
  return [{ kubeServiceRefs: { services: names.map((name) => findService(fleet, name).spec.kubeService.ref) } }];
}

/** Why a choice of several does not fit; for lists with {@link ALL}. */
export function allAlone(picked: readonly string[]): string | undefined {
  return picked.includes(ALL) && picked.length > 1
    ? 'the first entry means all: pick it alone, or pick only others'
    : undefined;
}

function sorted(choices: readonly Choice[]): readonly Choice[] {
  return choices.toSorted((a, b) => (a.value < b.value ? -1 : 1));
}
