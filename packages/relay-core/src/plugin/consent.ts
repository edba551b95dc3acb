/** Consent of the user to changes of objects that Meshrelay does not manage: fields of Settings. */
import type { SettingsSpec } from '@meshrelay/api';

/**
 * Whether a field of Settings is true.
 * @param path starts at the object: `spec.…`
 */
export function consents(spec: SettingsSpec | undefined, path: string): boolean {
  let value: unknown = { spec };
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value === true;
}
