/** Keys of resources. */
import type { XdsType } from './resource-type.ts';

/** Key of a resource. */
export interface XdsKey {
  readonly type: XdsType;
  readonly name: string;
}

/** Key of a resource in maps. */
export function keyText({ type, name }: XdsKey): string {
  return `${type}/${name}`;
}
