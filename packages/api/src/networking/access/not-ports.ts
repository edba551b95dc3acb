// spec.notPorts of an AccessPolicy
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { port } from '../../schema/scalar.ts';

/** Ports that do not match; omitted or empty: none. */
export type NotPorts = readonly number[];

export const notPorts: SpecField<NotPorts> = { schema: list(port), examples: [[9090]] };
