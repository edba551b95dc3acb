// Which meshes support which fields, from the capability tables of the built-in plugins.
import type { KindName } from '@meshrelay/api';
import {
  CAPABILITY_PATHS,
  type Capability,
  type CapabilityTable,
  VIEW_FIELDS,
  type ViewField,
} from '@meshrelay/relay-core';
import { type Field, plainPath } from './fields.ts';

/** A column of the tables. */
export interface MeshColumn {
  readonly name: string;
  readonly capabilities: CapabilityTable;
}

/** The kind whose fields need the capabilities with this first word. */
const KINDS: Readonly<Record<string, KindName>> = {
  match: 'TrafficPolicy',
  source: 'TrafficPolicy',
  route: 'TrafficPolicy',
  connection: 'TrafficPolicy',
  access: 'AccessPolicy',
  virtualDestination: 'VirtualDestination',
  accessLog: 'AccessLogRecord',
  wasm: 'WasmDeployment',
  mesh: 'VirtualMesh',
};

/** A capability and the fields of the kind that need it. */
export interface Need {
  readonly capability: ViewField;
  readonly paths: readonly string[];
}

/**
 * The capabilities that fields of a kind need.
 * @throws Error for a capability of which neither the kind nor the field is known
 */
export function needsOf(kind: string, fields: readonly Field[]): readonly Need[] {
  return VIEW_FIELDS.filter((capability) => kindOf(capability) === kind).map((capability) => ({
    capability,
    paths: pathsOf(capability, fields),
  }));
}

function kindOf(capability: ViewField): KindName {
  const kind = KINDS[capability.split('.')[0] ?? ''];
  if (kind === undefined) throw new Error(`the capability ${capability} has no kind; add its first word to KINDS`);
  return kind;
}

/** The fields that the end of the capability names below the path of its reports, or else that path itself. */
function pathsOf(capability: ViewField, fields: readonly Field[]): readonly string[] {
  const path = CAPABILITY_PATHS[capability];
  const words = capability.split('.').slice(1);
  for (let from = 0; from < words.length; from += 1) {
    const end = `.${words.slice(from).join('.')}`;
    const below = fields.filter((field) => {
      const plain = plainPath(field.path);
      return plain.startsWith(`${path}.`) && plain.endsWith(end);
    });
    if (below.length > 0) return below.map((field) => field.path);
  }
  const own = fields.filter((field) => plainPath(field.path) === path).map((field) => field.path);
  if (own.length === 0) throw new Error(`${capability} needs the field ${path}, which its kind does not have`);
  return own;
}

/** A word for a cell: yes, in part, no or always. */
export function wordOf(capability: Capability): string {
  if (capability === 'native') return 'yes';
  if ('always' in capability) return 'always';
  return 'degraded' in capability ? 'in part' : 'no';
}

/** The note of a capability as a sentence; undefined where the mesh supports it as defined. */
export function noteOf(capability: Capability): string | undefined {
  if (capability === 'native') return undefined;
  const text = Object.values(capability)[0] as string;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
