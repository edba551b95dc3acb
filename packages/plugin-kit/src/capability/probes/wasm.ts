/** Probes of modules that proxies run. */
import { type Probe, type Probes, wasm } from '../probe.ts';

const SHA256 = 'a'.repeat(64);
const HTTP = { httpUriSource: { uri: 'https://modules.example.com/auth.wasm', sha256: SHA256 } };
const IMAGE = { wasmImageTag: 'registry.example.com/filters/auth:v1' };

/** A module that the mesh does not support is left out as a whole. */
const whole = (filter: object): Probe => ({ asks: [wasm({ ...filter })], refused: [] });
const also = (filter: object): Probe => ({
  asks: [wasm({ ...HTTP, ...filter })],
  without: [wasm(HTTP)],
  refused: [],
});

export const WASM_PROBES: Probes<'wasm'> = {
  'wasm.http': whole(HTTP),
  'wasm.image': whole({ wasmImageSource: IMAGE }),
  'wasm.image.sha256': {
    asks: [wasm({ wasmImageSource: { ...IMAGE, sha256: SHA256 } })],
    without: [wasm({ wasmImageSource: IMAGE })],
    refused: [],
  },
  'wasm.configMap': whole({ configMapSource: { name: 'modules' } }),
  'wasm.inbound': also({ filterContext: 'SIDECAR_INBOUND' }),
  'wasm.outbound': also({ filterContext: 'SIDECAR_OUTBOUND' }),
  'wasm.gateway': also({ filterContext: 'GATEWAY' }),
  'wasm.ports': {
    asks: [wasm({ ...HTTP, filterContext: 'SIDECAR_INBOUND', ports: [9999] })],
    without: [wasm({ ...HTTP, filterContext: 'SIDECAR_INBOUND' })],
    refused: [],
  },
  'wasm.phase': also({ phase: 'AUTHN' }),
  'wasm.failOpen': also({ failurePolicy: 'FAIL_OPEN' }),
};
