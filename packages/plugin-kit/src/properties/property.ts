/** What a law is: something that every mesh plugin keeps, in every fleet. */
import type { Fleet } from '../fleet/fleet-spec.ts';
import type { TestedPlugin } from '../tested-plugin.ts';

/** A fleet that laws are tried in. */
export interface TestFleet {
  readonly name: string;
  readonly fleet: Fleet;
}

/** Looks at a plugin in some fleets. @throws Error that says which law is broken, where, and by what */
export type Property = (tested: TestedPlugin, fleets: readonly TestFleet[]) => void;
