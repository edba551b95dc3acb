// spec.allowedPorts of an AccessPolicy
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { port } from '../../schema/scalar.ts';

/** Ports the workload listens on; omitted or empty: any. */
export type AllowedPorts = readonly number[];

export const allowedPorts: SpecField<AllowedPorts> = { schema: list(port), examples: [[8080]] };
