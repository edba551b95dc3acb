/** What core does with one field of a WasmDeployment. */

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
}

/** Any other field. `Part`: its part of a filter of the views. */
export interface WasmFilterField<Part, Capability extends string> extends WasmFieldView<Part, Capability> {
  readonly kind?: never;
}
