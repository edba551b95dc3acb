// spec.allowedMethods of an AccessPolicy
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { method } from '../../schema/scalar.ts';

/** Upper case; omitted or empty: any. */
export type AllowedMethods = readonly string[];

export const allowedMethods: SpecField<AllowedMethods> = { schema: list(method), examples: [['GET', 'HEAD']] };
