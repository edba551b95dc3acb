/** Checks a discovered object: it must belong to the cluster that reported it, and its names must be valid. */
import { DISCOVERY_GROUP, type KubeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/plugin';

/** A DNS label, as in names of Services and namespaces: without dots, so that host names split in only one way. */
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** A kind: without dashes, so that the part before it in a name splits in only one way. */
const WORD = /^[A-Za-z0-9]{1,63}$/;

/**
 * The trust domain of a SPIFFE identity. Anything else, such as `*` or a `/`, would make rules about identities match
 * others.
 */
const TRUST_DOMAIN = /^[A-Za-z0-9._-]{1,253}$/;

/** Why an object is rejected: a code and a sentence. */
export interface Claim {
  readonly code: 'CLUSTER_MISMATCH' | 'INVALID_NAME';
  readonly reason: string;
}

/**
 * Undefined if the cluster may report the Mesh, Workload or Destination; other kinds claim nothing. Nothing in the
 * object is trusted: any client with the cluster's credential may have sent it.
 */
export function clusterMismatch(cluster: string, { apiVersion, kind, metadata, spec }: KubeObject): Claim | undefined {
  if (groupOf(apiVersion) !== DISCOVERY_GROUP) return undefined;
  const read = (...path: readonly string[]): unknown =>
    path.reduce<unknown>((value, field) => (isRecord(value) ? value[field] : undefined), spec);
  switch (kind) {
    case 'Mesh':
      return (
        otherCluster(cluster, read('cluster')) ??
        badName('namespace', metadata.namespace, DNS_LABEL) ??
        [read('trustDomain'), ...listOf(read('trustDomainAliases'))]
          .filter((domain) => domain !== undefined)
          .map((domain) => badName('trust domain', domain, TRUST_DOMAIN))
          .find((claim) => claim !== undefined)
      );
    case 'Workload':
      return (
        otherCluster(cluster, read('kubernetes', 'controller', 'clusterName')) ??
        badName('kind of controller', read('kubernetes', 'controller', 'kind'), WORD)
      );
    case 'Destination':
      return (
        otherCluster(cluster, read('kubeService', 'ref', 'clusterName')) ??
        badName('name', metadata.name, DNS_LABEL) ??
        badName('namespace', metadata.namespace, DNS_LABEL) ??
        otherName(metadata, read('kubeService', 'ref'))
      );
    default:
      return undefined;
  }
}

function otherCluster(cluster: string, claimed: unknown): Claim | undefined {
  if (claimed === cluster) return undefined;
  return {
    code: 'CLUSTER_MISMATCH',
    reason: `it claims cluster ${shown(claimed)}, but agent of cluster ${cluster} sent it`,
  };
}

function otherName({ name, namespace }: KubeObject['metadata'], ref: unknown): Claim | undefined {
  if (isRecord(ref) && ref['name'] === name && ref['namespace'] === namespace) return undefined;
  return { code: 'INVALID_NAME', reason: `it has the name of Service ${namespace}/${name}, but refers to another one` };
}

function badName(what: string, value: unknown, syntax: RegExp): Claim | undefined {
  if (typeof value === 'string' && syntax.test(value)) return undefined;
  return { code: 'INVALID_NAME', reason: `its ${what} ${shown(value)} is not valid` };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

/** Logs and reports have a size limit. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return String(text).slice(0, 100);
}
