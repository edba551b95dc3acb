/** inline: one output per input item, computed by every run that reads it, and not stored. */
import type { Collection, Key, Read, Transform } from '@meshrelay/plugin';
import type { Explanation } from '../collection.ts';
import { type Counters, type GraphNode, newCounters, type Trace } from '../commit/node.ts';
import type { ReadEdges } from '../edges/read-edges.ts';
import { atOnce } from '../plain-output.ts';
import type { CollectionStore } from '../storage/collection-store.ts';

/** Computes a value from an item of the stored base collection; undefined for no value. */
type Make<Out> = (value: unknown, read: Read, key: Key) => Out | undefined;

/** A collection whose items can be the input of a run: stored, or inline itself. */
export type Runnable<In> = CollectionStore<In> | Inline<In>;

export interface InlineOptions<In, Out> {
  readonly name: string;
  readonly rank: number;
  readonly input: Runnable<In>;
  readonly transform: Transform<In, Out>;
  readonly prepare: (value: Out) => Out;
  readonly trace: Trace;
}

/**
 * A run that reads an inline value also records everything the value is computed from. It runs again when any of that
 * changes, even if the inline value stays equal. Outside readers get a value computed from the last finished commit.
 */
export class Inline<Out> implements Collection<Out>, GraphNode {
  readonly name: string;
  readonly rank: number;
  readonly edges: ReadEdges;
  /** Always zero: the work counts for the nodes whose runs read the values. */
  readonly counters: Counters = newCounters();
  /** The stored collection from which values are computed, item by item. */
  readonly base: CollectionStore<unknown>;
  readonly #make: Make<Out>;
  readonly #trace: Trace;

  private constructor(options: InlineOptions<unknown, Out>) {
    const { name, rank, input, transform, prepare, trace } = options;
    this.name = name;
    this.rank = rank;
    this.edges = input.edges;
    this.base = baseOf(input);
    this.#trace = trace;
    const make = inlined(input, transform, undefined);
    this.#make = (value, read, key) => {
      const output = atOnce(make(value, read, key), `transform of ${name}`);
      return output === undefined ? undefined : prepare(output);
    };
  }

  static of<In, Out>(options: InlineOptions<In, Out>): Inline<Out> {
    return new Inline(options as unknown as InlineOptions<unknown, Out>);
  }

  /** The value computed from an item of the base. */
  make(value: unknown, read: Read, key: Key): Out | undefined {
    return this.#make(value, read, key);
  }

  /** The value of a key, for a run that reads it. */
  compute(read: Read, key: Key): Out | undefined {
    const value = read.get(this.base, key);
    return value === undefined ? undefined : this.make(value, read, key);
  }

  get(key: Key): Out | undefined {
    const value = this.base.get(key);
    return value === undefined ? undefined : this.#make(value, this.#trace(this).read, key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  entries(): IterableIterator<readonly [Key, Out]> {
    const entries: (readonly [Key, Out])[] = [];
    for (const [key] of this.base.entries()) {
      const value = this.get(key);
      if (value !== undefined) entries.push([key, value]);
    }
    return entries.values();
  }

  get size(): number {
    return [...this.entries()].length;
  }

  begin(): boolean {
    return false;
  }

  step(): boolean {
    return false;
  }

  publish(): void {}

  explain(key: Key, trace: Trace): Explanation | undefined {
    const value = this.base.get(key);
    if (value === undefined) return undefined;
    const { read, reads } = trace(this);
    const reported = { node: this.name, key, input: this.base.name, reads };
    try {
      const output = this.#make(value, read, key);
      return { ...reported, outputs: output === undefined ? [] : [[key, output]] };
    } catch (error) {
      return { ...reported, outputs: [], error };
    }
  }

  get sizes(): Readonly<Record<string, number>> {
    return {};
  }
}

/** The stored base collection, whose rows identify the runs. */
export function baseOf(input: Runnable<unknown>): CollectionStore<unknown> {
  return input instanceof Inline ? input.base : input;
}

/**
 * Adapts a transform of inline values to a transform of base values. @param otherwise result without an inline value
 */
export function inlined<In, Out>(
  input: Runnable<In>,
  transform: (value: In, read: Read, key: Key) => Out,
  otherwise: Out,
): (value: unknown, read: Read, key: Key) => Out {
  if (!(input instanceof Inline)) return transform as (value: unknown, read: Read, key: Key) => Out;
  return (value, read, key) => {
    const made = input.make(value, read, key);
    return made === undefined ? otherwise : transform(made, read, key);
  };
}
