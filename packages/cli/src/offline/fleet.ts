/** Builds a fleet from files. */
import { sha256 } from '@meshrelay/host/hash';
import { buildFleet, type ControlPlane, type FleetInputs } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';
import { laterInputs } from './later-inputs.ts';

/** @throws InputError if a stage cannot process an object, since a part of the result would be missing silently */
export function fleetOf(inputs: Omit<FleetInputs, 'hash'>): ControlPlane {
  try {
    return buildFleet({ ...inputs, hash: sha256 });
  } catch (cause) {
    throw new InputError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * The fleet after a change of its inputs, as {@link laterInputs}.
 * @throws InputError as {@link fleetOf}
 */
export function laterFleet(before: ControlPlane, inputs: Omit<FleetInputs, 'hash'>): ControlPlane {
  return fleetOf(laterInputs(before, inputs));
}
