/** The kit's samples for every field of a WasmDeployment. */
import type { WasmFieldName } from '@meshrelay/api';
import { type GroupProbes, probesOf } from '../probe.ts';
import { configMapSource } from './config-map-source.ts';
import { failurePolicy } from './failure-policy.ts';
import type { WasmFieldSamples } from './field.ts';
import { filterContext } from './filter-context.ts';
import { httpUriSource } from './http-uri-source.ts';
import { phase } from './phase.ts';
import { ports } from './ports.ts';
import { wasmImageSource } from './wasm-image-source.ts';

/** One file per field with a capability; a field of the API that is missing here is a compile error. */
const SAMPLES: { readonly [F in WasmFieldName]: WasmFieldSamples<F> } = {
  httpUriSource,
  wasmImageSource,
  configMapSource,
  filterContext,
  ports,
  phase,
  failurePolicy,
  staticFilterConfig: { probes: {} },
  rootId: { probes: {} },
  weight: { probes: {} },
};

export const WASM_PROBES: GroupProbes<'wasm'> = probesOf(SAMPLES);
