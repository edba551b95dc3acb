/** meshctl as a library: what other programs of Meshrelay and tests use of it. */

export { readObjects } from './input/objects.ts';
export { buildFleet, type ClusterObjects, type FleetInputs } from './offline/fleet.ts';
export { statusDocument } from './output/status-document.ts';
export { InputError } from './problem.ts';
