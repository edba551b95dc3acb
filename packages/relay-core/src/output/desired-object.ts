/** A desired object of a cluster, as readers outside the graph see it. */
import { type Key, type NativeObject, partsOf } from '@meshrelay/plugin';
import type { OutputHead, PackedOutput } from '../translate/mod.ts';
import { owned } from './ownership.ts';

/** A desired object of a cluster. */
export interface DesiredObject extends OutputHead {
  readonly cluster: string;
  /** Built on access: keep the result instead of reading it twice. */
  readonly object: NativeObject;
}

/**
 * The object with managed labels and annotations. `at` is its key among the desired objects, `owner` the value of the
 * owner label.
 */
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
