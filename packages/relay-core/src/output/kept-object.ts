/** An output as the graph keeps it: its content put away, without the marks that every object of ours bears. */
import type { PolicyRef } from '@meshrelay/api';
import type { ResourceKind } from '../input/resource-kind.ts';
import type { Packed } from '../packed/packed.ts';
import type { NativeObject } from '../plugin/contract.ts';
import { owned } from './ownership.ts';

/** An object that belongs in a cluster. */
export interface DesiredObject {
  readonly cluster: string;
  readonly kind: ResourceKind;
  readonly plugin: string;
  /** Made when asked for: keep it rather than ask twice. */
  readonly object: NativeObject;
  /** Every policy the object is there for, each once, in the order of `compareRefs`. */
  readonly because: readonly PolicyRef[];
}

export interface KeptObject extends Omit<DesiredObject, 'object'> {
  /** Without our marks. */
  readonly body: Packed<NativeObject>;
}

/** The object with our marks. `owner` is the value of the owner label. */
export function desiredObject({ cluster, kind, plugin, because, body }: KeptObject, owner: string): DesiredObject {
  return {
    cluster,
    kind,
    plugin,
    get object() {
      return owned(body.value, owner, plugin, because);
    },
    because,
  };
}
