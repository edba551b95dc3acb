/** Every field of a WasmDeployment, as core sees it. */
import type { WasmFieldName } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import { addRequirements, capabilityPaths, type Intersection, type Requirements } from '../table.ts';
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

/** From the interface, so that a field that is missing in the table is an error there only. */
type Views = WasmFieldViews;
type SourceName = { [F in keyof Views]: Views[F] extends { readonly kind: string } ? F : never }[keyof Views];

/** A field that contains a module. */
export type WasmSourceFieldName = SourceName;

/** A field that says how a module runs. */
export type WasmFilterFieldName = Exclude<WasmFieldName, SourceName>;

/** The module of a field. */
export type WasmSourceViewOf<F extends SourceName> = Parameters<Views[F]['requires']>[0];

/** The location of a module. Namespaces are in the workload's cluster. */
export type WasmSourceView = { [F in SourceName]: WasmSourceViewOf<F> }[SourceName];

/** What policies say about a module, and how it runs. */
export type WasmFilterParts = { readonly source: WasmSourceView } & Intersection<
  Parameters<Views[Exclude<keyof Views, SourceName>]['requires']>[0]
>;

/** The capabilities of a field. */
export type WasmCapabilitiesOf<F extends WasmFieldName> = F extends keyof Views
  ? keyof Views[F]['capabilities']
  : never;

/** Capabilities of these fields. */
export type WasmCapability = { [F in keyof Views]: WasmCapabilitiesOf<F> }[keyof Views];

/** Each capability with the path in the policy that reports name. */
export const WASM_CAPABILITIES: Readonly<Record<WasmCapability, string>> = capabilityPaths(WASM_FIELD_VIEWS);

type AnyWasmField = WasmSourceField<WasmSourceView, WasmCapability> | WasmFilterField<WasmFilterParts, WasmCapability>;

const FIELDS = Object.values(WASM_FIELD_VIEWS) as readonly AnyWasmField[];

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
