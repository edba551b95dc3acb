// Every field of `spec` of a VirtualDestination.
import type { FieldTable } from '../../schema/field.ts';
import { hostname, type VirtualHostname } from './hostname.ts';
import { type LocalizedFailover, localized } from './localized.ts';
import { type MeshList, meshList } from './mesh-list.ts';
import { port, type VirtualDestinationPort } from './port.ts';
import { type StaticFailover, staticFailover } from './static.ts';
import { type VirtualDestinationMesh, virtualMesh } from './virtual-mesh.ts';

/**
 * The name, its callers, and its backends: exactly one of `virtualMesh` and `meshList`, and of `static` and
 * `localized`.
 */
export interface VirtualDestinationSpec {
  readonly hostname: VirtualHostname;
  readonly port: VirtualDestinationPort;
  readonly virtualMesh?: VirtualDestinationMesh;
  readonly meshList?: MeshList;
  readonly static?: StaticFailover;
  readonly localized?: LocalizedFailover;
}

/** The name of one of them. */
export type VirtualDestinationFieldName = keyof VirtualDestinationSpec;

/** One file for each; a field of {@link VirtualDestinationSpec} that is missing here is a compile error. */
export const VIRTUAL_DESTINATION_FIELDS: FieldTable<VirtualDestinationSpec> = {
  hostname,
  port,
  virtualMesh,
  meshList,
  static: staticFailover,
  localized,
};
