/** Reports to the server that an object was not applied. */
import { KubeError } from '@meshrelay/kube';
import type { ObjectKey, ObjectRejection } from '@meshrelay/relay-protocol';

/** Rejection of an object; `hash` is the hash of the rejected version, '' for a delete. */
export function rejectionOf(
  { group, version, kind, namespace, name }: ObjectKey,
  hash: string,
  code: string,
  reason: string,
): ObjectRejection {
  return { key: { group, version, kind, namespace, name }, hash, code, reason };
}

/** Code and message of a failed call, in the words of the API server. */
export function failureOf(error: unknown): { readonly code: string; readonly reason: string } {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: error instanceof KubeError ? error.code : 'RELAY_E_KUBE_UNAVAILABLE', reason };
}
