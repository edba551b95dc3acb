// The kinds whose fields are each in a file of their own.
import { ACCESS_LOG_FIELDS } from '../extensions/access-log/fields.ts';
import { WASM_DEPLOYMENT_FIELDS } from '../extensions/wasm/fields.ts';
import { WASM_FILTER_FIELDS } from '../extensions/wasm/filter-fields.ts';
import { ACCESS_FIELDS } from '../networking/access/fields.ts';
import { TRAFFIC_FIELDS } from '../networking/traffic/fields.ts';
import { VIRTUAL_DESTINATION_FIELDS } from '../networking/virtual-destination/fields.ts';
import { VIRTUAL_MESH_FIELDS } from '../networking/virtual-mesh/fields.ts';
import type { SpecField } from '../schema/field.ts';

/** Fields of one object of a spec. */
export interface KindFields {
  readonly kind: string;
  /** The path of the object in the kind; an item of a list counts as the list. */
  readonly path: readonly string[];
  readonly fields: Readonly<Record<string, SpecField<unknown>>>;
}

/** In the order of the reference page. */
export const KIND_FIELDS: readonly KindFields[] = [
  { kind: 'VirtualMesh', path: ['spec'], fields: VIRTUAL_MESH_FIELDS },
  { kind: 'TrafficPolicy', path: ['spec', 'policy'], fields: TRAFFIC_FIELDS },
  { kind: 'AccessPolicy', path: ['spec'], fields: ACCESS_FIELDS },
  { kind: 'VirtualDestination', path: ['spec'], fields: VIRTUAL_DESTINATION_FIELDS },
  { kind: 'AccessLogRecord', path: ['spec'], fields: ACCESS_LOG_FIELDS },
  { kind: 'WasmDeployment', path: ['spec'], fields: WASM_DEPLOYMENT_FIELDS },
  { kind: 'WasmDeployment', path: ['spec', 'filters'], fields: WASM_FILTER_FIELDS },
];
