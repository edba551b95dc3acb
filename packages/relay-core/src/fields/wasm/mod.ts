/** Every field of a WasmDeployment, as core sees it. */
import type { Report, WasmDeploymentSpec, WasmFieldName, WasmFilter } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import {
  addRequirements,
  type CapabilitiesOf,
  type CapabilityOf,
  capabilityPaths,
  type Intersection,
  type Requirements,
} from '../table.ts';
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

interface WasmFieldViews {
  readonly httpUriSource: typeof httpUriSource;
  readonly wasmImageSource: typeof wasmImageSource;
  readonly configMapSource: typeof configMapSource;
  readonly staticFilterConfig: typeof staticFilterConfig;
  readonly rootId: typeof rootId;
  readonly filterContext: typeof filterContext;
  readonly ports: typeof ports;
  readonly phase: typeof phase;
  readonly failurePolicy: typeof failurePolicy;
  readonly weight: typeof weight;
}

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const WASM_FIELD_VIEWS: { readonly [F in WasmFieldName]: WasmFieldViews[F] } = {
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

type Views = WasmFieldViews;

/** A field that contains a module. */
export type WasmSourceFieldName = {
  [F in keyof Views]: Views[F] extends { readonly kind: string } ? F : never;
}[keyof Views];

/** A field that says how a module runs. */
export type WasmFilterFieldName = Exclude<WasmFieldName, WasmSourceFieldName>;

/** The module of a field. */
export type WasmSourceViewOf<F extends WasmSourceFieldName> = Parameters<Views[F]['requires']>[0];

/** The location of a module. Namespaces are in the workload's cluster. */
export type WasmSourceView = { [F in WasmSourceFieldName]: WasmSourceViewOf<F> }[WasmSourceFieldName];

/** How a module runs. */
type WasmSettings = Intersection<Parameters<Views[Exclude<keyof Views, WasmSourceFieldName>]['requires']>[0]>;

/** What policies say about a module, and how it runs. */
export type WasmFilterParts = { readonly source: WasmSourceView } & WasmSettings;

/** The capabilities of a field. */
export type WasmCapabilitiesOf<F extends WasmFieldName> = CapabilitiesOf<Views, F>;

/** Capabilities of these fields. */
export type WasmCapability = CapabilityOf<Views>;

/** Each capability with the path in the policy that reports name. */
export const WASM_CAPABILITIES: Readonly<Record<WasmCapability, string>> = capabilityPaths(WASM_FIELD_VIEWS);

type AnySourceField = WasmSourceField<WasmSourceView, WasmCapability>;
type AnyFilterField = WasmFilterField<WasmSettings, WasmCapability>;
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
