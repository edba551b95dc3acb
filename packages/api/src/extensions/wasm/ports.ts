// spec.filters[].ports of a WasmDeployment
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { port } from '../../schema/scalar.ts';

/** Destination ports of the requests; omitted or empty: all. */
export type WasmPorts = readonly number[];

export const ports: SpecField<WasmPorts> = { schema: list(port, { maximum: 50 }), examples: [[8080]] };
