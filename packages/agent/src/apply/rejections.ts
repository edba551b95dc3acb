/** How the server is told that an object was not applied. */
import { KubeError } from '@meshrelay/kube';
import type { ObjectKey, ObjectRejection } from '@meshrelay/relay-protocol';

/** A refusal of an object; `hash` is that of the version refused, '' for a delete. */
export function rejectionOf(
  { group, version, kind, namespace, name }: ObjectKey,
  hash: string,
  code: string,
  reason: string,
): ObjectRejection {
  return { key: { group, version, kind, namespace, name }, hash, code, reason };
}

/** What a failed call says, in the words of the API server. */
export function failureOf(error: unknown): { readonly code: string; readonly reason: string } {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: error instanceof KubeError ? error.code : 'RELAY_E_KUBE_UNAVAILABLE', reason };
}
