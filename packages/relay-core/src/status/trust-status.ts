/** Whether the members of a virtual mesh trust each other, by the roots that each of them says its workloads verify peers by. */
import { type Report, shortList, type VirtualMesh } from '@meshrelay/api';
import type { Read } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import type { Resolved } from '../resolve/resolve.ts';
import type { TimelessCondition } from './policy-status.ts';

/** What there is to say; both empty where the virtual mesh leaves trust as it is. */
export interface TrustStatus {
  readonly conditions: readonly TimelessCondition[];
  readonly reports: readonly Report[];
}

const UNTOLD: TrustStatus = { conditions: [], reports: [] };

/** This many meshes are named in a message. */
const NAMED = 3;

const HOW =
  'each agent writes the Secret of a CA under one root where the mesh can take it (kubectl get issuedcertificates -A); a control plane takes it up when it is restarted';

/** Reads the roots of the members, and nothing else of them. */
export function trustStatus(
  read: Read,
  { virtualMeshes, meshNames, trustRoots }: Pick<Resolved, 'virtualMeshes' | 'meshNames' | 'trustRoots'>,
  policy: Key,
  { spec: { mtlsConfig = {} } }: VirtualMesh,
): TrustStatus {
  if (mtlsConfig.limited !== undefined)
    return untrusted(
      'False',
      'NotSupported',
      'gateways alone are not made to trust each other by this version; set spec.mtlsConfig.shared',
    );
  if (mtlsConfig.shared === undefined) return UNTOLD;
  const members = [...read.by(virtualMeshes.members, policy)].map(([mesh]) => ({
    name: read.get(meshNames, mesh) ?? '',
    roots: read.get(trustRoots, mesh),
  }));
  const unknown = members.filter(({ roots }) => roots === undefined).map(({ name }) => name);
  if (unknown.length > 0)
    return untrusted('Unknown', 'RootsUnknown', `the roots of ${listed(unknown)} are not known; ${HOW}`);
  const [first] = members;
  if (first === undefined) return untrusted('Unknown', 'RootsUnknown', `none of the members is known; ${HOW}`);
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

function untrusted(status: 'False' | 'Unknown', reason: string, message: string): TrustStatus {
  return {
    conditions: [{ type: 'TrustEstablished', status, reason, message }],
    reports: [{ code: 'TRUST_NOT_ESTABLISHED', severity: 'warning', field: 'spec.mtlsConfig', message }],
  };
}

function listed(names: readonly string[]): string {
  return shortList([...names].sort(), NAMED);
}
