// What the API says of one field of `spec.policy` of a TrafficPolicy.
import type { z } from 'zod';

/** A field of `spec.policy`, in a file of its own; `TRAFFIC_FIELDS` lists them all. */
export interface TrafficField<T> {
  readonly schema: z.ZodType<T>;
  /** What omitted members mean; a member that is not listed is left to the mesh. */
  readonly defaults?: Partial<T>;
  /** Valid values for the reference. Together they set every member. */
  readonly examples: readonly [T, ...T[]];
}
