/**
 * Where each object of a cluster belongs in the fleet state. All objects enter through it: from relays, informers and
 * files.
 */
import {
  clusterPolicyKinds,
  DEFAULT_CLUSTER_DOMAIN,
  isMeshrelayGroup,
  isOutputGroup,
  type KubeObject,
  type KubernetesCluster,
  type Ledger,
  type Mesh,
  type Policy,
  type PolicyRef,
  policyKinds,
  type Report,
  type Settings,
  type ShapeProblem,
} from '@meshrelay/api';
import { groupOf, type Key, key } from '@meshrelay/plugin';
import type { Source, Transaction } from '../graph/collection.ts';
import { Packed } from '../packed/packed.ts';
import { canonicalAddress } from '../text/addresses.ts';
import { clusterMismatch } from './cluster-mismatches.ts';
import { type ClusterFacts, type FleetState, policyKey, SETTINGS_KEY, SETTINGS_NAME } from './fleet-state.ts';
import { APPROVE_ANNOTATION } from './notes.ts';

/** The management cluster's name in references. */
export const MANAGEMENT_CLUSTER = '';

/** Identifies an object of a cluster. */
export interface ObjectName {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface FeedLocation {
  readonly source: Source<unknown>;
  readonly key: Key;
}

/**
 * Ingests an object of a cluster, already decoded. `cluster` is '' for the management cluster. `faults` are the faults
 * that decoding found, so that they need not be searched again; omitted if decoding did not check.
 * Returns false if the fleet state does not accept the object:
 * - Meshrelay kinds that only the management cluster may define, and kinds that no code reads;
 * - discovered objects of another cluster, or with an invalid name.
 */
export function setObject(
  transaction: Transaction,
  fleetState: FleetState,
  cluster: string,
  object: KubeObject,
  faults?: readonly Report[],
): boolean {
  const { name, namespace = '' } = object.metadata;
  const place = locationOf(fleetState, cluster, {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    namespace,
    name,
  });
  if (place === undefined) return false;
  if (clusterMismatch(cluster, object) !== undefined) {
    // Delete the previous version of the object.
    transaction.delete(place.source, place.key);
    return false;
  }
  transaction.set(place.source, place.key, fleetStateValue(cluster, object, faults));
  if (place.source === fleetState.policies) transaction.delete(fleetState.unreadable, place.key);
  return true;
}

/** A policy, as far as it can be identified. */
export interface UnreadableObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: unknown;
    readonly generation?: unknown;
  };
}

/**
 * Records that a policy of a cluster exists and cannot be parsed: its status says so, and the last accepted spec stays
 * effective. Returns false for other kinds, which are then unknown.
 */
export function setUnreadable(
  transaction: Transaction,
  fleetState: FleetState,
  cluster: string,
  { kind, metadata: { name, namespace = '', uid, generation } }: UnreadableObject,
  problems: readonly ShapeProblem[],
): boolean {
  if (!isPolicyKind(cluster, kind)) return false;
  const ref: PolicyRef = { kind, cluster, namespace, name };
  const key = policyKey(ref);
  transaction.delete(fleetState.policies, key);
  transaction.set(fleetState.unreadable, key, {
    ref,
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof generation === 'number' ? { generation } : {}),
    reports: problems.map(
      ({ field, message }): Report => ({ code: 'INVALID_SCHEMA', severity: 'error', field, message }),
    ),
  });
  return true;
}

function isPolicyKind(cluster: string, kind: string): boolean {
  const taken = cluster === MANAGEMENT_CLUSTER ? policyKinds : clusterPolicyKinds;
  return taken.some((one) => one === kind);
}

/**
 * Deletes an object of a cluster from the fleet state. Returns false if the fleet state does not accept such objects.
 */
export function deleteObject(
  transaction: Transaction,
  fleetState: FleetState,
  cluster: string,
  name: ObjectName,
): boolean {
  const place = locationOf(fleetState, cluster, name);
  if (place === undefined) return false;
  transaction.delete(place.source, place.key);
  if (place.source === fleetState.policies) transaction.delete(fleetState.unreadable, place.key);
  return true;
}

function locationOf(
  fleetState: FleetState,
  cluster: string,
  { group, kind, namespace, name }: ObjectName,
): FeedLocation | undefined {
  if (group === '' && kind === 'Namespace')
    return cluster === MANAGEMENT_CLUSTER ? undefined : { source: fleetState.namespaces, key: key(cluster, name) };
  if (!isMeshrelayGroup(group) || isOutputGroup(group))
    return { source: fleetState.present, key: key(cluster, group, kind, namespace, name) };
  const own = { source: undefined, key: key(cluster, namespace, name) };
  switch (kind) {
    case 'Mesh':
      return { ...own, source: fleetState.meshes };
    case 'Workload':
      return { ...own, source: fleetState.workloads };
    case 'Destination':
      return { ...own, source: fleetState.destinations };
    case 'VirtualMesh':
    case 'TrafficPolicy':
    case 'AccessPolicy':
    case 'WorkspaceSettings':
    case 'VirtualDestination':
    case 'AccessLogRecord':
    case 'WasmDeployment':
      return { source: fleetState.policies, key: policyKey({ kind, cluster, namespace, name }) };
    case 'Workspace':
      return cluster === MANAGEMENT_CLUSTER
        ? { source: fleetState.policies, key: policyKey({ kind, cluster, namespace, name }) }
        : undefined;
    case 'KubernetesCluster':
      return cluster === MANAGEMENT_CLUSTER ? { source: fleetState.clusters, key: key(name) } : undefined;
    case 'Settings':
      return cluster === MANAGEMENT_CLUSTER && name === SETTINGS_NAME
        ? { source: fleetState.settings, key: SETTINGS_KEY }
        : undefined;
    case 'Ledger':
      return cluster === MANAGEMENT_CLUSTER ? { source: fleetState.ledgers, key: key(name) } : undefined;
    default:
      return undefined;
  }
}

function fleetStateValue(cluster: string, object: KubeObject, faults: readonly Report[] | undefined): unknown {
  const { name, namespace = '' } = object.metadata;
  switch (object.kind) {
    case 'Mesh':
      return object as Mesh;
    case 'Workload':
      return new Packed(object);
    case 'Destination':
      return new Packed(object);
    case 'VirtualMesh':
    case 'TrafficPolicy':
    case 'AccessPolicy':
    case 'Workspace':
    case 'WorkspaceSettings':
    case 'VirtualDestination':
    case 'AccessLogRecord':
    case 'WasmDeployment':
      return {
        ref: { kind: object.kind, cluster, namespace, name },
        object: object as Policy,
        ...(faults === undefined ? {} : { faults }),
      };
    case 'KubernetesCluster': {
      const { clusterDomain, suspended, paused, draining, secretName, trustDomains, gatewayAddresses } = (
        object as KubernetesCluster
      ).spec;
      const { [APPROVE_ANNOTATION]: approved } = textsOf(object.metadata.annotations);
      const facts: ClusterFacts = {
        name,
        domain: clusterDomain ?? DEFAULT_CLUSTER_DOMAIN,
        suspended: suspended ?? false,
        ...(trustDomains === undefined ? {} : { trustDomains }),
        ...(gatewayAddresses === undefined ? {} : { gatewayAddresses: gatewayAddresses.map(canonicalAddress) }),
        ...(paused === true ? { paused } : {}),
        ...(draining === true ? { draining } : {}),
        ...(secretName === undefined ? {} : { secretName }),
        ...(approved === undefined ? {} : { approved }),
      };
      return facts;
    }
    case 'Settings':
      return object as Settings;
    case 'Ledger':
      return object as Ledger;
    case 'Namespace':
      return { cluster, name, labels: textsOf(object.metadata.labels) };
    default:
      return { cluster, object: new Packed(object) };
  }
}

/** The labels or annotations of an unchecked object; values that are not strings are dropped. */
function textsOf(labels: unknown): Readonly<Record<string, string>> {
  if (typeof labels !== 'object' || labels === null) return {};
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => typeof value === 'string'));
}
