// Strict object schemas that cannot drift from their interfaces.
import * as z from 'zod/mini';
import { nearest } from '../text/nearest.ts';
import { RENAMED_FIELDS } from './renamed-fields.ts';
import { type Rule, withRules } from './rule.ts';

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
/** Names of the fields that must be present. */
export type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;

/** A schema for every field of T, with the presence that the interface declares. */
export interface Fields<T> {
  readonly required: { readonly [K in RequiredKeys<T>]: z.ZodMiniType<T[K]> };
  readonly optional: { readonly [K in OptionalKeys<T>]-?: z.ZodMiniType<Exclude<T[K], undefined>> };
}

/**
 * The schema of the interface `name`: unknown fields are rejected, an optional field may be absent but not undefined.
 * `name` selects the doc comments that become the CRD's descriptions, so it must be the interface's own name.
 */
export function object<T extends object>(
  name: string,
  { required, optional }: Fields<T>,
  rules: readonly Rule<T>[] = [],
): z.ZodMiniType<T> {
  const shape: Record<string, z.ZodMiniType> = { ...required };
  for (const [field, schema] of Object.entries<z.ZodMiniType>(optional)) shape[field] = z.exactOptional(schema);
  const known = Object.keys(shape);
  const schema = z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownFields(name, known, issue.keys) : undefined),
  });
  // The mapped type above checked every field against T; zod infers a plain record from a computed shape.
  return withRules(schema as unknown as z.ZodMiniType<T>, rules, { title: name });
}

/** One line per unknown field, in the order of `keys`. */
function unknownFields(name: string, known: readonly string[], keys: readonly string[]): string {
  return keys.map((key) => `is not a field of ${name}${renamed(name, key) ?? hint(key, known)}`).join('\n');
}

function renamed(name: string, key: string): string | undefined {
  const names = RENAMED_FIELDS[name] ?? {};
  return Object.hasOwn(names, key) ? `; its name is now ${names[key]}` : undefined;
}

function hint(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return known.length === 0 ? ', which has no fields' : `, which has ${known.join(', ')}`;
}
