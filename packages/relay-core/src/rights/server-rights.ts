/** The permissions of the management server in the management cluster. */
import { definitionOf, type KindName, policyKinds } from '@meshrelay/api';
import { POD } from '@meshrelay/plugin';
import { REPLICA_LEASES, SERVER_LEASE } from './names.ts';
import { Grants, LEASES, namedRule, READ, type Resource, SECRETS, statusOf, WRITE } from './rbac-rule.ts';
import type { Rights } from './rights.ts';

export interface ServerRightsOptions {
  /** Whether clients of the HTTP API authenticate with tokens of the API server (`http.auth.type: tokenReview`). */
  readonly tokenReview: boolean;
  /** If the server acts for its own cluster: the permissions for that. */
  readonly ownCluster?: Rights | undefined;
}

const EVENTS: Resource = { group: '', plural: 'events' };
const REVIEWS: readonly Resource[] = [
  { group: 'authentication.k8s.io', plural: 'tokenreviews' },
  { group: 'authorization.k8s.io', plural: 'subjectaccessreviews' },
];
const managed = (...kinds: readonly KindName[]): readonly Resource[] => kinds.map((kind) => definitionOf(kind));

export function serverRights({ tokenReview, ownCluster }: ServerRightsOptions): Rights {
  const policies = managed(...policyKinds);
  const discovered = managed('Mesh', 'Workload', 'Destination');
  const registered = managed('KubernetesCluster', 'Settings');
  const cluster = new Grants()
    .give(policies, READ)
    .give(policies.map(statusOf), ['patch'])
    .give(tokenReview ? REVIEWS : [], ['create']);
  const own = new Grants()
    .give(managed('KubernetesCluster'), ['update', ...(ownCluster === undefined ? [] : ['create'])])
    .give(registered, READ)
    .give(managed('Ledger'), [...READ, 'create', 'update', 'delete'])
    .give(discovered, WRITE)
    .give([...registered, ...discovered].map(statusOf), ['patch'])
    // The user chooses their names: kubeconfigs, roots of virtual meshes, CAs of other issuers, the password of Redis.
    .give([SECRETS], [...READ, 'create', 'update'])
    .give([EVENTS, LEASES], ['create'])
    .give([POD], ['list']);
  return {
    cluster: [...cluster.rules(), ...(ownCluster?.cluster ?? [])],
    namespace: [
      ...own.rules(),
      namedRule(LEASES, [SERVER_LEASE, ...REPLICA_LEASES], ['get', 'update']),
      ...(ownCluster?.namespace ?? []),
    ],
    otherClusters: ownCluster?.otherClusters ?? [],
    creates: {
      secrets: { own: 'any', otherClusters: ownCluster?.creates.secrets.otherClusters ?? [] },
      configMaps: ownCluster?.creates.configMaps ?? [],
      leases: [SERVER_LEASE, ...REPLICA_LEASES, ...(ownCluster?.creates.leases ?? [])],
    },
    writes: ownCluster?.writes ?? [],
  };
}
