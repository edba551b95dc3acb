/** How a watch of one kind stands, in words a status can show. */
import type { KubeError } from '../errors.ts';

/** The state of a watch; only `watching` and `absent` are up to date. */
export type KindState =
  /** Nothing complete was seen yet and nothing has failed. */
  | { readonly phase: 'starting' }
  /** A complete list was given on and changes follow it. */
  | { readonly phase: 'watching' }
  /** Discovery says that the API server does not have the kind; it is looked for again. */
  | { readonly phase: 'absent' }
  /** The last attempt failed and is repeated. What was given before still stands: unknown is not empty. */
  | { readonly phase: 'retrying'; readonly error: KubeError | Error; readonly failures: number };

/** Told what a watch does; for metrics and logs. All members are optional and must not throw. */
export interface WatchObserver {
  /** A complete list of `count` objects took `milliseconds`. */
  listed?(count: number, milliseconds: number): void;
  /** An event arrived: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  event?(type: string): void;
  /** Changes of one tick were given on. */
  flushed?(count: number): void;
  /** The state changed. */
  state?(state: KindState): void;
  /** An object could not be taken in; its last good form stays. */
  faulty?(object: string, error: unknown): void;
}
