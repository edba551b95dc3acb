/** The objects of one cluster. */
import type { KubeObject } from '@meshrelay/api';

export interface ClusterObjects {
  readonly name: string;
  readonly objects: readonly KubeObject[];
}
