/** What the scheduler asks of every node, whatever it computes. */
import type { ChangeLog } from './change-log.ts';
import type { Collection, Explanation, NodeCounters, Read } from './collection.ts';
import type { Key } from './key.ts';

/** The sum of one commit's changes, collection by collection. */
export type ChangesByCollection = Map<Collection<unknown>, ChangeLog<unknown>>;

/** Runs a transform outside any commit, on the published state, and tells what it looked at. */
export interface Tracing {
  readonly read: Read;
  readonly reads: Explanation['reads'];
}

/** Starts tracing for a node, which may read what was made before it. */
export type Trace = (reader: { readonly name: string; readonly rank: number }) => Tracing;

/** A node does its share of a commit in small steps, so that a commit can pause between any two. */
export interface GraphNode {
  readonly name: string;
  readonly counters: Counters;
  /** Collects what the earlier nodes left to do. @returns false when there is nothing, and `step` need not be called. */
  begin(): boolean;
  /** Does the work of one key. @returns false when there is nothing left. */
  step(): boolean;
  /** Makes the working state the published one, and adds what changed. */
  publish(into: ChangesByCollection): void;
  /** Lets go of what is soon made again; called between commits. */
  rest?(): void;
  explain(key: Key, trace: Trace): Explanation | undefined;
  /** How many entries each of its structures holds. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** A node's counters, while they count. */
export type Counters = { -readonly [name in keyof NodeCounters]: NodeCounters[name] };

export function newCounters(): Counters {
  return { recomputed: 0, changed: 0, cutOff: 0 };
}
