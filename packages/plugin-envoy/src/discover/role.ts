/** The role of a pod's Envoy, from its label. */
import { labelsOf, type Pod } from '@meshrelay/plugin';
import { GATEWAY, ROLE_LABEL, SIDECAR } from '../kinds.ts';

/** The function of an Envoy. */
export type Role = typeof SIDECAR | typeof GATEWAY;

/** Undefined for pods without the label, or with another value. */
export function roleOf({ metadata }: Pick<Pod, 'metadata'>): Role | undefined {
  const role = labelsOf(metadata.labels)[ROLE_LABEL];
  return role === SIDECAR || role === GATEWAY ? role : undefined;
}
