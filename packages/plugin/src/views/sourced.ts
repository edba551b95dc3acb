/** A value with its source policies. */
import type { PolicyRef } from '@meshrelay/api';

/** A value and the policies that set it (more than one if equal values merged), in order of precedence. */
export interface Sourced<T> {
  readonly value: T;
  readonly from: readonly PolicyRef[];
}
