/** The role of a pod's Envoy, as its label tells it. */
import { labelsOf, type Pod } from '@meshrelay/relay-core';
import { GATEWAY, ROLE_LABEL, SIDECAR } from '../kinds.ts';

/** What an Envoy is there for. */
export type Role = typeof SIDECAR | typeof GATEWAY;

/** Undefined for pods without the label, and with one of another value. */
export function roleOf({ metadata }: Pick<Pod, 'metadata'>): Role | undefined {
  const role = labelsOf(metadata.labels)[ROLE_LABEL];
  return role === SIDECAR || role === GATEWAY ? role : undefined;
}
