/** Deep freezing of values, which lets tests detect a transform that changes its arguments. */
import { Packed } from '../../packed/packed.ts';

/** Deep-freezes plain data in place and returns it. Byte arrays cannot be frozen and stay writable. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  if (value instanceof Packed) deepFreeze(value.value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
