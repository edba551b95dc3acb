/** The view that an output comes from. */
import type { Key } from '@meshrelay/plugin';

/** The view that something comes from. */
export interface ViewOrigin {
  /** The name of the stage. */
  readonly stage: string;
  /** The view's key among those of its kind. */
  readonly view: Key;
}
