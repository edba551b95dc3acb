/** The translation of one field of a WasmDeployment. */
import type {
  WasmFieldName,
  WasmFilterFieldName,
  WasmFilterView,
  WasmRows,
  WasmSourceFieldName,
  WasmSourceViewOf,
} from '@meshrelay/plugin';

interface WasmField<F extends WasmFieldName> {
  readonly capabilities: WasmRows<F>;
}

/** A source of modules, in its own file. */
export interface WasmSourceField<F extends WasmSourceFieldName> extends WasmField<F> {
  readonly kind: WasmSourceViewOf<F>['kind'];
  /** Its part of `spec` of a WasmPlugin; absent if Istio does not support the source. */
  spec?(source: WasmSourceViewOf<F>): Readonly<Record<string, unknown>>;
}

/** Any other field, in its own file. */
export interface WasmFilterField<F extends WasmFilterFieldName> extends WasmField<F> {
  /** Its part of `spec` of a WasmPlugin. */
  spec?(filter: WasmFilterView): Readonly<Record<string, unknown>>;
  /** Its part of the one item of `spec.match`. */
  match?(filter: WasmFilterView): Readonly<Record<string, unknown>>;
}
