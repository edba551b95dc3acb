/** Kinds of which only the status is written. */
import type { ResourceKind } from '@meshrelay/relay-core';
import { POLICY_KINDS } from '../input/kinds.ts';

/** The kind of policy whose status may be written. */
export function statusKind(kind: string): ResourceKind | undefined {
  return POLICY_KINDS.find((one) => one.kind === kind);
}
