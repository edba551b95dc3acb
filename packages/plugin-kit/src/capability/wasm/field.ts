/** The kit's samples for one field of a WasmDeployment. */
import type { WasmFieldName, WasmFilter } from '@meshrelay/api';
import type { WasmCapabilitiesOf } from '@meshrelay/plugin';
import { type Probe, wasm } from '../probe.ts';

/** A field in its own file. */
export interface WasmFieldSamples<F extends WasmFieldName> {
  /** A probe for each capability. */
  readonly probes: Readonly<Record<WasmCapabilitiesOf<F>, Probe>>;
}

export const SHA256: string = 'a'.repeat(64);

const HTTP: WasmFilter = { httpUriSource: { uri: 'https://modules.example.com/auth.wasm', sha256: SHA256 } };

/** A module; one that the mesh does not support is left out as a whole. */
export function whole(filter: WasmFilter): Probe {
  return { asks: [wasm({ ...filter })], refused: [] };
}

/** A module at a URL with these fields, compared with one with other fields. */
export function also(filter: WasmFilter, without: WasmFilter = {}): Probe {
  return { asks: [wasm({ ...HTTP, ...filter })], without: [wasm({ ...HTTP, ...without })], refused: [] };
}
