/** Defaults that the API server fills in. */
import type * as z from 'zod/mini';
import { metaOf, withMeta } from './meta.ts';

/**
 * The schema with a `default:` in the CRD: the API server fills in the omitted field, so that users see its value. Only
 * for a field whose default and absence have the same effect everywhere; docs/adr/0089-defaults-in-crds.md. Decoding
 * leaves the field absent, since files do not pass an API server.
 */
export function filledIn<T>(schema: z.ZodMiniType<T>, value: T): z.ZodMiniType<T> {
  return withMeta(schema, { ...metaOf(schema), default: value });
}
