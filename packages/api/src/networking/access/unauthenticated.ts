// spec.unauthenticated of an AccessPolicy
import type { SpecField } from '../../schema/field.ts';
import { flag } from '../../schema/scalar.ts';

/** True: the policy applies to every client, even without an identity; omit sourceSelector then. Default: false. */
export type Unauthenticated = boolean;

export const unauthenticated: SpecField<Unauthenticated> = { schema: flag, default: false, examples: [true] };
