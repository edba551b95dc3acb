/**
 * An output as the graph stores it: packed without the labels and annotations of all managed objects. Thousands of
 * outputs share a head with what they have in common.
 */
import type { PolicyRef } from '@meshrelay/api';
import { memoizeUntilCompaction, type NativeObject, type ResourceKind } from '@meshrelay/plugin';
import { memoizeFew } from '../caches/memoize-few.ts';
import type { Packed } from '../packed/packed.ts';

/** What all outputs of one kind with the same source policies have in common. */
export interface OutputHead {
  readonly kind: ResourceKind;
  readonly plugin: string;
  /** All source policies of the object, each once, in the order of `compareRefs`. */
  readonly sourcePolicies: readonly PolicyRef[];
}

/** The packed part. */
export interface OutputBody {
  readonly cluster: string;
  /** Without managed labels and annotations. */
  readonly object: NativeObject;
}

export type PackedOutput<Body extends OutputBody = OutputBody> = Packed<Body, OutputHead>;

/** One head for all outputs with the same parts. */
export function outputHead(plugin: Named, kind: ResourceKind, sourcePolicies: readonly PolicyRef[]): OutputHead {
  return headsOf(sourcePolicies)(kind)(plugin);
}

interface Named {
  readonly name: string;
}

const headsOf = memoizeUntilCompaction((sourcePolicies: readonly PolicyRef[]) =>
  memoizeFew((kind: ResourceKind) =>
    memoizeFew(({ name }: Named): OutputHead => ({ kind, plugin: name, sourcePolicies })),
  ),
);
