/** Builds a fleet from files. */
import { sha256 } from '@meshrelay/host/hash';
import { buildFleet, type ControlPlane, type FleetInputs } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';

/** @throws InputError if a stage cannot process an object, since a part of the result would be missing silently */
export function fleetOf(inputs: Omit<FleetInputs, 'hash'>): ControlPlane {
  try {
    return buildFleet({ ...inputs, hash: sha256 });
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
