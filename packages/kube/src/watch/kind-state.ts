/** State of a watch of one kind, in words for a status. */
import type { KubeError } from '../errors.ts';

/** The state of a watch; only `watching` and `absent` are up to date. */
export type KindState =
  /** No complete list yet, and no failure. */
  | { readonly phase: 'starting' }
  /** A complete list was passed on and changes follow. */
  | { readonly phase: 'watching' }
  /** Discovery reports that the API server does not have the kind; it is checked again. */
  | { readonly phase: 'absent' }
  /** The last attempt failed and is retried. Earlier objects stay: unknown is not empty. */
  | { readonly phase: 'retrying'; readonly error: KubeError | Error; readonly failures: number };

/** Callbacks of a watch, for metrics and logs. All members are optional and must not throw. */
export interface WatchObserver {
  /** A complete list of `count` objects took `milliseconds`. */
  listed?(count: number, milliseconds: number): void;
  /** An event arrived: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  event?(type: string): void;
  /** Changes of one tick were passed on. */
  flushed?(count: number): void;
  /** The state changed. */
  state?(state: KindState): void;
  /** An object could not be transformed; its last valid form stays. */
  faulty?(object: string, error: unknown): void;
}
