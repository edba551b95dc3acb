// spec.policy.corsPolicy
import type * as z from 'zod/mini';
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { duration, flag, headerName, method, textLike } from '../../schema/scalar.ts';
import { type StringMatch, stringMatch } from '../../shared/http.ts';

/** Cross-origin resource sharing. */
export interface CorsPolicy {
  readonly allowOrigins?: readonly StringMatch[];
  /** Methods other sites may use. */
  readonly allowMethods?: readonly string[];
  /** Request headers other sites may send. */
  readonly allowHeaders?: readonly string[];
  /** Response headers other sites may read. */
  readonly exposeHeaders?: readonly string[];
  /** Go-style duration a browser may cache a preflight answer; rounded to whole seconds, at least 1s. */
  readonly maxAge?: string;
  /** True: other sites may send credentials, such as cookies. */
  readonly allowCredentials?: boolean;
}

const corsMethod: z.ZodMiniType<string> = textLike({
  expected: 'an HTTP method in upper case, such as GET, or *',
  pattern: /^([A-Z][A-Z-]*|\*)$/,
  maxLength: 32,
  holds: (value) => value === '*' || method.safeParse(value).success,
});

export const corsPolicy: SpecField<CorsPolicy> = {
  schema: object<CorsPolicy>('CorsPolicy', {
    required: {},
    optional: {
      allowOrigins: list(stringMatch),
      allowMethods: list(corsMethod),
      allowHeaders: list(headerName),
      exposeHeaders: list(headerName),
      maxAge: duration,
      allowCredentials: flag,
    },
  }),
  examples: [
    {
      allowOrigins: [{ exact: 'https://shop.example' }, { suffix: '.shop.example' }],
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['content-type'],
      exposeHeaders: ['x-request-id'],
      maxAge: '10m',
      allowCredentials: true,
    },
  ],
};
