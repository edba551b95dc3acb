/** Reported objects of a cluster. */
import type { KubeObject } from '@meshrelay/api';

/** A change of an object. */
export interface Reported {
  readonly object: KubeObject;
  readonly outcome: FaultOutcome;
}

/** Whether the object exists from now on, or is deleted. */
export type FaultOutcome = 'there' | 'gone';
