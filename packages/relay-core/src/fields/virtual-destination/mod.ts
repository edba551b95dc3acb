/** Every field of `spec` of a VirtualDestination, as core sees it. */
import type { VirtualDestinationFieldName, VirtualDestinationSpec } from '@meshrelay/api';
import { memoizeUntilCompaction, type VirtualDestinationSettings } from '@meshrelay/plugin';
import type { VirtualDestinationCapability } from '@meshrelay/plugin/host';
import { addRequirements, capabilityPaths, type Requirements } from '../table.ts';
import type { Backends, VirtualDestinationField, VirtualDestinationParts } from './field.ts';
import { hostname } from './hostname.ts';
import { localized } from './localized.ts';
import { meshList } from './mesh-list.ts';
import { port } from './port.ts';
import { staticFailover } from './static.ts';
import { virtualMesh } from './virtual-mesh.ts';

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const VIRTUAL_DESTINATION_FIELD_VIEWS: {
  readonly [F in VirtualDestinationFieldName]: VirtualDestinationField<F>;
} = { static: staticFailover, localized, hostname, port, virtualMesh, meshList };

/** Each capability with the path in the policy that reports name. */
export const VIRTUAL_DESTINATION_CAPABILITIES: Readonly<Record<VirtualDestinationCapability, string>> = capabilityPaths(
  VIRTUAL_DESTINATION_FIELD_VIEWS,
);

const FIELDS = Object.values(VIRTUAL_DESTINATION_FIELD_VIEWS) as ReadonlyArray<
  VirtualDestinationField<VirtualDestinationFieldName>
>;

/** The members of the views of a virtual destination that its spec alone defines. */
export const virtualDestinationSettings: (spec: VirtualDestinationSpec) => VirtualDestinationSettings =
  memoizeUntilCompaction((spec) => Object.assign({}, ...FIELDS.map((field) => field.view?.(spec))));

/** The Services that a policy names or selects; none in an invalid policy without such a field. */
export const backendsOf: (spec: VirtualDestinationSpec) => Backends = memoizeUntilCompaction((spec) => {
  for (const field of FIELDS) {
    const backends = field.backends?.(spec);
    if (backends !== undefined) return backends;
  }
  return NO_BACKENDS;
});

const NO_BACKENDS: Backends = { field: 'spec', selectors: [], priorityOf: () => 0 };

/** What a virtual destination needs. Core drops an unsupported one as a whole. */
export function virtualDestinationRequirements(
  view: VirtualDestinationParts,
): Requirements<VirtualDestinationCapability> {
  const requirements = {};
  for (const field of FIELDS) addRequirements(requirements, field, field.requires?.(view) ?? []);
  return requirements;
}

/** The parts of the view that a mesh does not support as they are, in the form that it supports. */
export function reducedVirtualDestination(
  view: VirtualDestinationParts,
  supports: (capability: VirtualDestinationCapability) => boolean,
): Partial<Pick<VirtualDestinationParts, 'failover'>> {
  return Object.assign({}, ...FIELDS.map((field) => field.reduce?.(view, supports)));
}
