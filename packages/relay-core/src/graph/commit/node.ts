/** Interface between the scheduler and a node of any kind. */

import type { Collection, Key, Read } from '@meshrelay/plugin';
import type { Explanation, NodeCounters } from '../collection.ts';
import type { ChangeLog } from '../storage/change-log.ts';

/** All changes of one commit, by collection. */
export type ChangesByCollection = Map<Collection<unknown>, ChangeLog<unknown>>;

/** Runs a transform outside any commit on the published state, and records its reads. */
export interface Tracing {
  readonly read: Read;
  readonly reads: Explanation['reads'];
}

/** Starts tracing for a node, which may read collections created before it. */
export type Trace = (reader: { readonly name: string; readonly rank: number }) => Tracing;

/** A node works in small steps, so that a commit can yield between any two. */
export interface GraphNode {
  readonly name: string;
  readonly counters: Counters;
  /**
   * Collects the work that earlier nodes caused. @returns false without any, in which case `step` need not be called
   */
  begin(): boolean;
  /** Processes one key. @returns false if no work is left */
  step(): boolean;
  /** Publishes the working state and adds the changes to `into`. */
  publish(into: ChangesByCollection): void;
  /** Drops data that is cheap to rebuild. Called between commits. */
  rest?(): void;
  explain(key: Key, trace: Trace): Explanation | undefined;
  /** The number of entries in each structure of the node. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** The mutable counters of a node. */
export type Counters = { -readonly [name in keyof NodeCounters]: NodeCounters[name] };

export function newCounters(): Counters {
  return { recomputed: 0, changed: 0, cutOff: 0 };
}
