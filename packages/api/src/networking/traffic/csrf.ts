// spec.policy.csrf
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { flag, percentage } from '../../schema/scalar.ts';
import { type StringMatch, stringMatch } from '../../shared/http.ts';

/** Protects against cross-site request forgery. */
export interface Csrf {
  /** Reject requests of another origin. Default: false. */
  readonly filterEnabled?: boolean;
  /** Count requests of another origin, and reject none. Default: false. */
  readonly shadowEnabled?: boolean;
  /** Percent of the requests checked, 0 to 100. Default: 100. */
  readonly percentage?: number;
  /** Allowed origins, in addition to the destination's own. */
  readonly additionalOrigins?: readonly StringMatch[];
}

export const csrf: SpecField<Csrf> = {
  schema: object<Csrf>('Csrf', {
    required: {},
    optional: { filterEnabled: flag, shadowEnabled: flag, percentage, additionalOrigins: list(stringMatch) },
  }),
  defaults: { filterEnabled: false, shadowEnabled: false, percentage: 100 },
  examples: [
    { filterEnabled: true, percentage: 100, additionalOrigins: [{ exact: 'https://shop.example' }] },
    { shadowEnabled: true },
  ],
};
