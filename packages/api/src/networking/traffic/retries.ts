// spec.policy.retries
import type * as z from 'zod/mini';
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { duration, flag, integer, textLike } from '../../schema/scalar.ts';

/** Retries failed requests. */
export interface Retries {
  /** Retries after the first try; 0 disables retries. */
  readonly attempts: number;
  /** Go-style duration each try may take, at least 1ms. */
  readonly perTryTimeout?: string;
  /**
   * Go-style duration before the first retry, at least 1ms; it grows with each further retry. Omitted: 25ms in all
   * meshes today.
   */
  readonly backoff?: string;
  /**
   * Retry conditions in Envoy's syntax, such as `5xx` or `connect-failure`; omitted or empty means the mesh's default.
   */
  readonly retryOn?: readonly string[];
  /** True when a retry may go to another locality. */
  readonly retryRemoteLocalities?: boolean;
}

const retryCondition: z.ZodMiniType<string> = textLike({
  expected: 'a condition as Envoy names it, such as 5xx or connect-failure, or a status code',
  pattern: /^[a-z0-9][a-z0-9-]*$/,
  maxLength: 64,
});

export const retries: SpecField<Retries> = {
  schema: object<Retries>('Retries', {
    required: { attempts: integer() },
    optional: {
      perTryTimeout: duration,
      backoff: duration,
      retryOn: list(retryCondition),
      retryRemoteLocalities: flag,
    },
  }),
  examples: [
    {
      attempts: 3,
      perTryTimeout: '500ms',
      backoff: '100ms',
      retryOn: ['connect-failure', '503'],
      retryRemoteLocalities: true,
    },
  ],
};
