/** How users' objects and ours of other names are in each other's way, as a mesh has it. */
import type { KubeObject } from '@meshrelay/api';
import type { NativeObject } from './contract.ts';
import type { MeshFacts } from './views/mod.ts';

/**
 * What a user's object means for one of ours. `withheld`: only one of them can be in force, so ours stays away. `degraded`: ours is written and is
 * not in force as it is meant. `noted`: ours is in force, and something about theirs is worth knowing.
 */
export interface ObjectConflict {
  readonly effect: 'notApplied' | 'degraded' | 'info';
  /** Completes a sentence that begins with the user's object, such as `has the host a.b too, and Istio heeds the older one only`. */
  readonly text: string;
}

/**
 * Finds such objects by words that both have, then judges each pair. Core calls it for users' objects of kinds that are written or read. What stands
 * before a word's first space is few things, such as kinds: where users have nothing of it, nothing else is looked up.
 */
export interface ObjectConflicts {
  /** Words that a user's object is found by. */
  indexKeys(unmanaged: KubeObject): readonly string[];
  /** Words that one of ours looks for others by. */
  lookupKeys(managed: NativeObject): readonly string[];
  /**
   * What they are to each other; undefined: nothing.
   * @param meshes those of this plugin in their cluster
   */
  detect(managed: NativeObject, unmanaged: KubeObject, meshes: readonly MeshFacts[]): ObjectConflict | undefined;
}
