/** Every field of a WasmDeployment, as core sees it. */
import type { Report, WasmDeploymentSpec, WasmFieldName, WasmFilter } from '@meshrelay/api';
import {
  memoizeUntilCompaction,
  type WasmFilterFieldName,
  type WasmSourceFieldName,
  type WasmSourceView,
} from '@meshrelay/plugin';
import type { WasmCapability, WasmFilterParts } from '@meshrelay/plugin/host';
import { addRequirements, capabilityPaths, type Requirements } from '../table.ts';
import { configMapSource } from './config-map-source.ts';
import { failurePolicy } from './failure-policy.ts';
import type { WasmFilterField, WasmSourceField } from './field.ts';
import { filterContext } from './filter-context.ts';
import { httpUriSource } from './http-uri-source.ts';
import { phase } from './phase.ts';
import { ports } from './ports.ts';
import { rootId } from './root-id.ts';
import { staticFilterConfig } from './static-filter-config.ts';
import { wasmImageSource } from './wasm-image-source.ts';
import { weight } from './weight.ts';

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const WASM_FIELD_VIEWS: {
  readonly [F in WasmFieldName]: F extends WasmSourceFieldName
    ? WasmSourceField<F>
    : F extends WasmFilterFieldName
      ? WasmFilterField<F>
      : never;
} = {
  httpUriSource,
  wasmImageSource,
  configMapSource,
  staticFilterConfig,
  rootId,
  filterContext,
  ports,
  phase,
  failurePolicy,
  weight,
};

/** Each capability with the path in the policy that reports name. */
export const WASM_CAPABILITIES: Readonly<Record<WasmCapability, string>> = capabilityPaths(WASM_FIELD_VIEWS);

/** Any one of the sources. */
interface AnySourceField
  extends AnyField<WasmSourceView>,
    Pick<WasmSourceField<WasmSourceFieldName>, 'view' | 'namespace' | 'notPermitted'> {
  readonly kind: WasmSourceView['kind'];
}

/** Any other field. */
interface AnyFilterField extends AnyField<WasmFilterParts> {
  readonly kind?: never;
  view(filter: WasmFilter, deployment: WasmDeploymentSpec): Partial<WasmFilterParts>;
}

interface AnyField<Part> {
  readonly capabilities: Readonly<Record<string, string>>;
  requires(part: Part): readonly WasmCapability[];
  membersRequire?(part: Part): readonly WasmCapability[];
}

type AnyWasmField = AnySourceField | AnyFilterField;

const FIELDS = Object.values(WASM_FIELD_VIEWS) as readonly AnyWasmField[];
const SOURCES = FIELDS.filter((field): field is AnySourceField => field.kind !== undefined);
const SETTINGS = FIELDS.filter((field): field is AnyFilterField => field.kind === undefined);

/**
 * A filter of a deployment for the workloads of a namespace. Deployments are validated: each filter has exactly one
 * source.
 */
export function wasmFilterOf(filter: WasmFilter, deployment: WasmDeploymentSpec, namespace: string): WasmFilterParts {
  const [source] = SOURCES.flatMap((field) => field.view(filter, namespace) ?? []);
  return Object.assign({ source }, ...SETTINGS.map((field) => field.view(filter, deployment)));
}

/**
 * The reports on namespaces that the filter reads from.
 * @param isPermitted whether the deployment may read the contents of a namespace of the workload's cluster
 */
export function namespacesNotPermitted(
  filter: WasmFilter,
  { path, cluster }: { readonly path: string; readonly cluster: string },
  isPermitted: (namespace: string) => boolean,
): readonly Report[] {
  return SOURCES.flatMap((field) => {
    const namespace = field.namespace?.(filter);
    if (namespace === undefined || isPermitted(namespace)) return [];
    return field.notPermitted?.(path, namespace, cluster) ?? [];
  });
}

/**
 * What a module needs. Core drops an unsupported module as a whole: in part it would see other requests, or be another
 * module.
 */
export const wasmRequirements: (filter: WasmFilterParts) => Requirements<WasmCapability> = memoizeUntilCompaction(
  (filter) => {
    const requirements = {};
    for (const method of ['requires', 'membersRequire'] as const)
      for (const field of FIELDS) addRequirements(requirements, field, neededBy(field, method, filter));
    return requirements;
  },
);

function neededBy(
  field: AnyWasmField,
  method: 'requires' | 'membersRequire',
  filter: WasmFilterParts,
): readonly WasmCapability[] {
  if (field.kind === undefined) return field[method]?.(filter) ?? [];
  return field.kind === filter.source.kind ? (field[method]?.(filter.source) ?? []) : [];
}
