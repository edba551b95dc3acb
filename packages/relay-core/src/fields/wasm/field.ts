/** What core does with one field of a WasmDeployment. */
import type { Report, WasmDeploymentSpec, WasmFieldName, WasmFilter } from '@meshrelay/api';
import type { WasmCapabilitiesOf, WasmFilterFieldName, WasmSourceFieldName, WasmSourceViewOf } from '@meshrelay/plugin';
import type { WasmPartOf } from '@meshrelay/plugin/host';

/** A field in a file of its own; `WASM_FIELD_VIEWS` lists them all. `F`: its name in the API. */
interface WasmFieldView<F extends WasmFieldName, Part> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<WasmCapabilitiesOf<F>, string>>;
  /** Capabilities without which a mesh cannot run the module. */
  requires(part: Part): ReadonlyArray<WasmCapabilitiesOf<F>>;
  /** The same for members of the value; reported after those of all fields. */
  membersRequire?(part: Part): ReadonlyArray<WasmCapabilitiesOf<F>>;
}

/** A source of modules. */
export interface WasmSourceField<F extends WasmSourceFieldName> extends WasmFieldView<F, WasmSourceViewOf<F>> {
  readonly kind: WasmSourceViewOf<F>['kind'];
  /**
   * The module of a filter; undefined if it has another source.
   * @param namespace of the workload
   */
  view(filter: WasmFilter, namespace: string): WasmSourceViewOf<F> | undefined;
  /** A namespace that the filter names and reads from; only a deployment with access to it may. */
  namespace?(filter: WasmFilter): string | undefined;
  /** The report to a deployment without access. `path`: of the filter. */
  notPermitted?(path: string, namespace: string, cluster: string): Report;
}

/** Any other field. */
export interface WasmFilterField<F extends WasmFilterFieldName> extends WasmFieldView<F, WasmPartOf<F>> {
  readonly kind?: never;
  /** Its part of the filter. */
  view(filter: WasmFilter, deployment: WasmDeploymentSpec): WasmPartOf<F>;
}
