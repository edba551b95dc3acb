/** What core does with one field of a WasmDeployment. */
import type { Report, WasmDeploymentSpec, WasmFilter } from '@meshrelay/api';

/** A field in a file of its own; `WASM_FIELD_VIEWS` lists them all. `Capability`: the names of its capabilities. */
interface WasmFieldView<Part, Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Capabilities without which a mesh cannot run the module. */
  requires(part: Part): readonly Capability[];
  /** The same for members of the value; reported after those of all fields. */
  membersRequire?(part: Part): readonly Capability[];
}

/** A source of modules. `Source`: the module as views show it. */
export interface WasmSourceField<Source extends { readonly kind: string }, Capability extends string>
  extends WasmFieldView<Source, Capability> {
  readonly kind: Source['kind'];
  /**
   * The module of a filter; undefined if it has another source.
   * @param namespace of the workload
   */
  view(filter: WasmFilter, namespace: string): Source | undefined;
  /** A namespace that the filter names and reads from; only a deployment with access to it may. */
  namespace?(filter: WasmFilter): string | undefined;
  /** The report to a deployment without access. `path`: of the filter. */
  notPermitted?(path: string, namespace: string, cluster: string): Report;
}

/** Any other field. `Part`: its part of a filter of the views. */
export interface WasmFilterField<Part, Capability extends string> extends WasmFieldView<Part, Capability> {
  readonly kind?: never;
  /** Its part of the filter. */
  view(filter: WasmFilter, deployment: WasmDeploymentSpec): Part;
}
