/** Objects with the cluster that they are in. */
import type { KubeObject } from '@meshrelay/api';

/** An object of a cluster ('' is the management cluster). */
export interface Placed {
  readonly cluster: string;
  readonly object: KubeObject;
}
