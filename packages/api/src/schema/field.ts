// Fields of specs, each in a file of its own, and tables of them.
import type * as z from 'zod/mini';
import { filledIn } from './filled-in.ts';
import type { Fields, RequiredKeys } from './object.ts';

/** A field of a spec. The table of its kind lists it. */
export interface SpecField<T> {
  readonly schema: z.ZodMiniType<T>;
  /** The value of the omitted field, if absence has the same effect everywhere. The API server fills it in. */
  readonly default?: T;
  /**
   * Defaults of omitted members, if they are the same everywhere. Members that the API server fills in are `filledIn`.
   */
  readonly defaults?: Partial<T>;
  /** Valid values for the reference page. Together they set every member. */
  readonly examples: readonly [T, ...T[]];
}

/** A file for each field of T: a field of the interface that is missing in the table is a compile error. */
export type FieldTable<T> = { readonly [F in keyof T]-?: SpecField<Exclude<T[F], undefined>> };

/** The schemas of a table, for `object`. */
export function fieldsOf<T extends object>(
  table: FieldTable<T>,
  required: { readonly [F in RequiredKeys<T>]: true },
): Fields<T> {
  const all = Object.entries<SpecField<unknown>>(table).map(
    ([name, { schema, default: omitted }]) =>
      [name, omitted === undefined ? schema : filledIn(schema, omitted)] as const,
  );
  return {
    required: Object.fromEntries(all.filter(([name]) => name in required)),
    optional: Object.fromEntries(all.filter(([name]) => !(name in required))),
  } as Fields<T>;
}
