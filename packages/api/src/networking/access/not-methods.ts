// spec.notMethods of an AccessPolicy
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { method } from '../../schema/scalar.ts';

/** Methods that do not match, upper case; omitted or empty: none. */
export type NotMethods = readonly string[];

export const notMethods: SpecField<NotMethods> = { schema: list(method), examples: [['DELETE']] };
