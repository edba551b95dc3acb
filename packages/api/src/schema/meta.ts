// What a schema says to CRDs and not to the decoder.
import * as z from 'zod/mini';

/** Keywords of a CRD's schema. */
export type Meta = Readonly<Record<string, unknown>>;

/** The schema with these keywords, instead of those that it has. */
export function withMeta<T>(schema: z.ZodMiniType<T>, meta: Meta): z.ZodMiniType<T> {
  const copy = schema.clone();
  z.globalRegistry.add(copy, { ...meta });
  return copy;
}

/** The keywords of a schema. */
export function metaOf(schema: z.ZodMiniType): Meta {
  return z.globalRegistry.get(schema) ?? {};
}
