/** An output as the graph keeps it: put away without the marks that every object of ours bears, and beside it what thousands of outputs have in common. */
import type { PolicyRef } from '@meshrelay/api';
import { type Key, partsOf } from '../graph/key.ts';
import type { ResourceKind } from '../input/resource-kind.ts';
import type { Packed } from '../packed/packed.ts';
import type { NativeObject } from '../plugin/contract.ts';
import { memoizeFew, memoizeUntilCompaction } from '../plugin/memoize.ts';
import { owned } from './ownership.ts';

/** An object that belongs in a cluster. */
export interface DesiredObject extends OutputHead {
  readonly cluster: string;
  /** Made when asked for: keep it rather than ask twice. */
  readonly object: NativeObject;
}

/** What all outputs of one kind have in common that are there for the same policies. */
export interface OutputHead {
  readonly kind: ResourceKind;
  readonly plugin: string;
  /** Every policy the object is there for, each once, in the order of `compareRefs`. */
  readonly sourcePolicies: readonly PolicyRef[];
}

/** What is put away. */
export interface OutputBody {
  readonly cluster: string;
  /** Without our marks. */
  readonly object: NativeObject;
}

export type PackedOutput<Body extends OutputBody = OutputBody> = Packed<Body, OutputHead>;

/** One head for all that have the very same parts. */
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

/** The object with our marks. `at` is its key among the desired, `owner` the value of the owner label. */
export function desiredObject(packed: PackedOutput, at: Key, owner: string): DesiredObject {
  const { kind, plugin, sourcePolicies } = packed.about;
  const [cluster = ''] = partsOf(at);
  return {
    cluster,
    kind,
    plugin,
    get object() {
      return owned(packed.value.object, owner, plugin, sourcePolicies);
    },
    sourcePolicies,
  };
}
