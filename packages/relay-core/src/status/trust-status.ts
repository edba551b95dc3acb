/**
 * Whether the members of a virtual mesh trust each other, by the roots with which each reports that its workloads
 * verify peers.
 */
import { type Report, shortList, type VirtualMesh } from '@meshrelay/api';
import type { Key, Read } from '@meshrelay/plugin';
import type { Resolved } from '../resolve/mod.ts';
import type { TimelessCondition } from './timeless-condition.ts';

/** Both empty if the virtual mesh does not change trust. */
export interface TrustStatus {
  readonly conditions: readonly TimelessCondition[];
  readonly reports: readonly Report[];
}

const UNTOLD: TrustStatus = { conditions: [], reports: [] };

/** The maximum number of meshes in a message. */
const NAMED = 3;

const HOW =
  'each agent writes the Secret of a CA under the shared root for its mesh (kubectl get issuedcertificates -A); restart the control plane to load it';

/** Reads only the roots of the members. */
export function trustStatus(
  read: Read,
  resolved: Pick<Resolved, 'virtualMeshes' | 'meshNames' | 'trustRoots' | 'ownRoots'>,
  policy: Key,
  { spec: { mtlsConfig = {} } }: VirtualMesh,
): TrustStatus {
  if (mtlsConfig.limited === undefined && mtlsConfig.shared === undefined) return UNTOLD;
  const { virtualMeshes, meshNames, trustRoots, ownRoots } = resolved;
  const members = [...read.by(virtualMeshes.members, policy)].map(([mesh]) => ({
    name: read.get(meshNames, mesh) ?? '',
    roots: read.get(trustRoots, mesh),
    keepsItsOwn: read.has(ownRoots, mesh),
  }));
  const alone = members.filter(({ keepsItsOwn }) => keepsItsOwn).map(({ name }) => name);
  const rest = members.length - alone.length;
  if (mtlsConfig.limited !== undefined) return untrusted('False', 'NotSupported', insteadOfLimited(alone, rest));
  if (alone.length > 0) return untrusted('False', 'NotSupported', insteadOfShared(alone, rest));
  const unknown = members.filter(({ roots }) => roots === undefined).map(({ name }) => name);
  if (unknown.length > 0)
    return untrusted('Unknown', 'RootsUnknown', `the roots of ${listed(unknown)} are not known; ${HOW}`);
  const [first] = members;
  if (first === undefined) return untrusted('Unknown', 'RootsUnknown', `no member is known; ${HOW}`);
  const others = members.filter(({ roots }) => roots?.join() !== first.roots?.join()).map(({ name }) => name);
  if (others.length > 0)
    return untrusted(
      'False',
      'DifferentRoots',
      `the roots of ${listed(others)} differ from those of ${first.name}, so calls between them fail; ${HOW}`,
    );
  const message = 'all members verify peers by the same roots';
  return { conditions: [{ type: 'TrustEstablished', status: 'True', reason: 'SharedRoots', message }], reports: [] };
}

/**
 * @param alone the members that keep a root of their own
 * @param rest the number of further ones
 */
function insteadOfLimited(alone: readonly string[], rest: number): string {
  const what = 'this version does not support trust between gateways only';
  if (alone.length === 0) return `${what}; set spec.mtlsConfig.shared`;
  const why = `${what}, and ${listed(alone)} cannot take a shared root`;
  const [it, its] = pronouns(alone);
  return rest === 0
    ? `${why}: remove spec.mtlsConfig.limited, and ${its}`
    : `${why}: remove ${it} from spec.meshes, and set spec.mtlsConfig.shared for the rest`;
}

function insteadOfShared(alone: readonly string[], rest: number): string {
  const why = `${listed(alone)} cannot take a shared root`;
  const [it, its] = pronouns(alone);
  return rest === 0
    ? `${why}: remove spec.mtlsConfig.shared, and ${its}`
    : `${why}, so calls between ${it} and the other members fail: remove ${it} from spec.meshes`;
}

function pronouns({ length }: readonly string[]): readonly [it: string, keepsItsOwn: string] {
  return length === 1 ? ['it', 'it keeps its own'] : ['them', 'each keeps its own'];
}

function untrusted(status: 'False' | 'Unknown', reason: string, message: string): TrustStatus {
  return {
    conditions: [{ type: 'TrustEstablished', status, reason, message }],
    reports: [{ code: 'TRUST_NOT_ESTABLISHED', severity: 'warning', field: 'spec.mtlsConfig', message }],
  };
}

function listed(names: readonly string[]): string {
  return shortList([...names].sort(), NAMED);
}
