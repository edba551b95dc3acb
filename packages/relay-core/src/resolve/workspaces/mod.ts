/** Which workspace owns a namespace, what it shares, and what a policy may act on. */
export {
  actsIn,
  type ClusterScope,
  clusterScopesOf,
  imports,
  owns,
  type PolicyScope,
  sees,
  type WorkspaceAccess,
} from './authority.ts';
export { importerPart } from './importing.ts';
export { type Authorities, resolveAuthorities } from './resolve-authority.ts';
export { type RejectedTrustDomain, refusedTrustDomains } from './trust-domains.ts';
export {
  type RecordedRead,
  type ReferencingPolicy,
  unauthorizedRouteTarget,
  unauthorizedSelectors,
  unauthorizedWorkloads,
} from './unauthorized-refs.ts';
export { type CheckedObject, type Claim, counts, type WorkspaceFacts, type Workspaces } from './workspaces.ts';
