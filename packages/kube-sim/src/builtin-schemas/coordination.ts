/** The coordination.k8s.io group: Lease. */
import type { SchemaNode } from '../object.ts';
import { int32, microTime, record, text } from './build.ts';
import { kind } from './meta.ts';

const leaseSpec = record({
  acquireTime: microTime,
  holderIdentity: text,
  leaseDurationSeconds: int32,
  leaseTransitions: int32,
  preferredHolder: text,
  renewTime: microTime,
  strategy: text,
});

/** coordination.k8s.io/v1 Lease. */
export const lease: SchemaNode = kind({ spec: leaseSpec });
