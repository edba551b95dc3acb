/** A fleet out of files. */
import { sha256 } from '@meshrelay/host/hash';
import { buildFleet, type ControlPlane, type FleetInputs } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';

/** @throws InputError where a stage cannot work on an object: the result would lack a part, silently */
export function fleetOf(inputs: Omit<FleetInputs, 'hash'>): ControlPlane {
  try {
    return buildFleet({ ...inputs, hash: sha256 });
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
