/** Real modules for Envoy, built from WebAssembly text: each adds a header to responses. */
import { Buffer } from 'node:buffer';
import wabt from 'wabt';

/** Further behaviour of a module. */
export type Behaviour = 'works' | 'rejects its configuration';

/** @param mark value of `x-wasm` in responses, at most 16 letters */
export async function proxyWasm(mark: string, behaviour: Behaviour = 'works'): Promise<Buffer> {
  const { parseWat } = await wabt();
  using parsed = disposing(parseWat('module.wat', textOf(mark, behaviour === 'works' ? 1 : 0)));
  return Buffer.from(parsed.it.toBinary({}).buffer);
}

function disposing<T extends { destroy(): void }>(it: T): { readonly it: T; [Symbol.dispose](): void } {
  return { it, [Symbol.dispose]: () => it.destroy() };
}

/** The part of proxy-wasm 0.2.1 that a filter must implement; 2 is the map of response headers, 0 means continue. */
function textOf(mark: string, configured: 0 | 1): string {
  return `(module
    (import "env" "proxy_add_header_map_value" (func $add (param i32 i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (data (i32.const 16) "x-wasm")
    (data (i32.const 32) "${mark}")
    (func (export "malloc") (param i32) (result i32) (i32.const 1024))
    (func (export "_initialize"))
    (func (export "proxy_abi_version_0_2_1"))
    (func (export "proxy_on_context_create") (param i32 i32))
    (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (i32.const 1))
    (func (export "proxy_on_configure") (param i32 i32) (result i32) (i32.const ${configured}))
    (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32) (i32.const 0))
    (func (export "proxy_on_response_headers") (param i32 i32 i32) (result i32)
      (drop (call $add (i32.const 2) (i32.const 16) (i32.const 6) (i32.const 32) (i32.const ${mark.length})))
      (i32.const 0))
    (func (export "proxy_on_done") (param i32) (result i32) (i32.const 1))
    (func (export "proxy_on_log") (param i32))
    (func (export "proxy_on_delete") (param i32)))`;
}
