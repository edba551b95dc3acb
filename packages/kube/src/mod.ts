/** Kubernetes access: connections, objects of any kind, watches into sinks, statuses, the fencing term. */

export { type ConnectOptions, connect, type KubeSource } from './connect/connect.ts';
export { KubeConnection } from './connect/kube-connection.ts';
export type { KubeRequest } from './connect/kube-request.ts';
export type { KubeErrorCode } from './error-code.ts';
export { isKubeError, KubeError, type KubeErrorDetails, type Retry, type StatusCause } from './errors.ts';
export { configMapKind } from './objects/config-map-kind.ts';
export { servesKind } from './objects/discovery.ts';
export { meshrelayKind } from './objects/meshrelay-kind.ts';
export {
  type ApplyOptions,
  type CallOptions,
  type DeleteOptions,
  type ExpectedVersion,
  fieldManager,
  type ListOptions,
  ObjectClient,
  type WriteOptions,
} from './objects/object-client.ts';
export { type CompleteList, type PagedListOptions, pagedList } from './objects/paged-list.ts';
export { collectionPath, describe, type ObjectKey, objectPath } from './objects/resource-path.ts';
export { versionNumber } from './objects/resource-version.ts';
export { type ResourceAccess, type ReviewedUser, Reviews } from './objects/reviews.ts';
export { type SecretData, type SecretNotes, Secrets, type StoredSecret, secretKind } from './objects/secrets.ts';
export { type SecretWatchOptions, watchSecret } from './objects/watch-secret.ts';
export { OutputLedgerTerm, type OutputLedgerTermOptions, outputLedgerKind } from './output-ledger-term.ts';
export { type SeenStatus, StatusWriter, type StatusWriterOptions } from './status/status-writer.ts';
export { withTransitionTimes } from './status/transition-times.ts';
export { type ObjectVersion, withoutManagedFields } from './watch/cache-entry.ts';
export type { KindSink } from './watch/kind-sink.ts';
export type { KindState, WatchObserver } from './watch/kind-state.ts';
export { KindWatch, type WatchOptions, watchKind } from './watch/kind-watch.ts';
export { recheckOnCrds } from './watch/recheck-on-crds.ts';
