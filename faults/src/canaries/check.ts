/** T14 on a fleet after its faults. */
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import { leaks } from './leaks.ts';
import { markersOf } from './markers.ts';
import { placesOf } from './places.ts';

/** The searched markers and places, and the findings, as sentences. */
export interface CanaryResult {
  readonly markers: number;
  readonly places: number;
  readonly leaks: readonly string[];
}

/** `planted` are markers of the run's own. */
export async function checkCanaries(fleet: FaultFleet, planted: readonly string[]): Promise<CanaryResult> {
  const markers = new Set([...planted, ...fleet.secrets, ...markersOf(fleet.history.since(0))]);
  const places = await placesOf(fleet);
  return { markers: markers.size, places: places.length, leaks: leaks(markers, places) };
}
