/** Defaults that the API server fills in. */
import type { z } from 'zod';

/**
 * The schema with a `default:` in the CRD: the API server fills in the omitted field, so that users see its value. Only
 * for a field whose default and absence have the same effect everywhere; docs/adr/0089-defaults-in-crds.md. Decoding
 * leaves the field absent, since files do not pass an API server.
 */
export function filledIn<T>(schema: z.ZodType<T>, value: T): z.ZodType<T> {
  return schema.meta({ ...schema.meta(), default: value });
}
