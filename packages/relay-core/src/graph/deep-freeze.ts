/** Freezing values all the way down, so that tests catch a transform that changes what it was given. */
import { Packed } from '../packed/packed.ts';

/** Freezes plain data in place and returns it. Byte arrays cannot be frozen and are left alone. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  if (value instanceof Packed) deepFreeze(value.value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
