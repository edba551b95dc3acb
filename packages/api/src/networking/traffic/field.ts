// Definition of one field of `spec.policy` of a TrafficPolicy.
import type { z } from 'zod';

/** A field of `spec.policy`, in a file of its own; `TRAFFIC_FIELDS` lists them all. */
export interface TrafficField<T> {
  readonly schema: z.ZodType<T>;
  /** Defaults of omitted members; a member that is not listed has the mesh's default. */
  readonly defaults?: Partial<T>;
  /** Valid values for the reference page. Together they set every member. */
  readonly examples: readonly [T, ...T[]];
}
