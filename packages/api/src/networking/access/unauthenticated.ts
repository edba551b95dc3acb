// spec.unauthenticated of an AccessPolicy
import type { SpecField } from '../../schema/field.ts';
import { flag } from '../../schema/scalar.ts';

/** True: any client, even without an identity; only if no source is selected. Default: false. */
export type Unauthenticated = boolean;

export const unauthenticated: SpecField<Unauthenticated> = { schema: flag, default: false, examples: [true] };
