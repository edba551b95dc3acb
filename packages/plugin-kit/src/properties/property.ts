/** A property: every mesh plugin has it, in every fleet. */
import type { Fleet } from '../fleet/expand-fleet.ts';
import type { TestedPlugin } from '../tested-plugin.ts';

/** A fleet in which properties are checked. */
export interface TestFleet {
  readonly name: string;
  readonly fleet: Fleet;
}

/**
 * Checks a plugin in some fleets.
 * @throws Error naming the violated property, the place and the cause
 */
export type Property = (tested: TestedPlugin, fleets: readonly TestFleet[]) => void;
