/** Conflicts between user-owned and generated objects with different names, by the rules of a mesh. */
import type { KubeObject } from '@meshrelay/api';
import type { NativeObject } from './native-object.ts';
import type { MeshFacts } from './views/mod.ts';

/**
 * What a user-owned object means for a generated one. `notApplied`: only one can take effect, so the generated object
 * is not applied. `degraded`: the generated object is written and does not fully take effect. `info`: the generated
 * object takes effect; the other one deserves a note.
 */
export interface ObjectConflict {
  readonly effect: 'notApplied' | 'degraded' | 'info';
  /**
   * Completes a sentence that begins with the user's object, such as `has the host a.b too, and Istio uses only the
   * older one`.
   */
  readonly text: string;
}

/**
 * Detects conflicts between generated objects and user-owned objects, when their names differ.
 * Core indexes user-owned objects of kinds that the plugin writes or reads by `indexKeys`. It looks them up by
 * `lookupKeys`, and calls `detect` for each pair found.
 * The part of a key before its first space is its prefix (usually a kind). Core skips prefixes without any user-owned
 * object.
 */
export interface ObjectConflicts {
  /** Index keys of a user-owned object. */
  indexKeys(unmanaged: KubeObject): readonly string[];
  /** Keys under which user-owned objects may conflict with a generated object. */
  lookupKeys(managed: NativeObject): readonly string[];
  /**
   * Returns the conflict between the two objects, or undefined if they do not conflict.
   * @param meshes meshes of this plugin in the cluster
   */
  detect(managed: NativeObject, unmanaged: KubeObject, meshes: readonly MeshFacts[]): ObjectConflict | undefined;
}
