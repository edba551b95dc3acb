/** `failure_policy`, and the handling of requests as long as an Envoy does not have the module. */
import { type Any, fault, pack, wasm } from '@meshrelay/envoy-api';
import type { WasmFilterView } from '@meshrelay/plugin';
import { share } from '../messages.ts';
import type { WasmFilterField } from './field.ts';

/** The status for requests if a required module is missing: the same as if it fails. */
const UNAVAILABLE = 503;

export const failurePolicy: WasmFilterField<'failurePolicy'> = {
  capabilities: { 'wasm.failOpen': 'native' },
  pluginConfig: ({ failOpen }) => ({
    failurePolicy: failOpen ? wasm.FailurePolicy.FAIL_OPEN : wasm.FailurePolicy.FAIL_CLOSED,
  }),
};

export function withoutModule({ failOpen }: WasmFilterView): Any {
  if (failOpen) return pack(fault.HTTPFaultSchema, {});
  return pack(fault.HTTPFaultSchema, {
    abort: { errorType: { case: 'httpStatus', value: UNAVAILABLE }, percentage: share() },
  });
}
