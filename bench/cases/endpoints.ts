/** The cost of a changed endpoint address: pods start and stop all the time, and no route depends on them. */
import { setObject, settle } from '@meshrelay/relay-core';
import { serviceDestination } from '../fleet/discovered.ts';
import { generateFleet } from '../fleet/generate.ts';
import { digest, fill, OPTIONS, parsed } from '../fleet/plane.ts';
import { EDITED_SERVICES, type FleetShape } from '../fleet/shape.ts';
import { cpuMs } from '../measure.ts';
import { isTranslation, WorkMeter } from '../work-done.ts';

export interface EndpointsInput {
  readonly shape: FleetShape;
  readonly changes: number;
}

export interface EndpointsResult {
  readonly cpuMsPerChange: number;
  /** Views translated again, over all changes. */
  readonly translated: number;
  /** Runs of all nodes per change. */
  readonly runsPerChange: number;
  readonly outputsUnchanged: boolean;
}

export function endpoints({ shape, changes }: EndpointsInput): EndpointsResult {
  const plane = fill(generateFleet(shape).objects.map(parsed));
  plane.compact();
  const before = digest(plane);
  const change = (position: number): void => {
    const service = EDITED_SERVICES + position;
    const { labels = {} } = serviceOf(service)?.spec.kubeService ?? {};
    const moved = serviceDestination(shape, service, labels, 1_000_000);
    const cluster = moved.spec.kubeService.ref.clusterName;
    plane.graph.commit((transaction) => setObject(transaction, plane.fleetState, cluster, moved));
    settle(plane, OPTIONS);
    plane.compact();
  };
  const known = new Map(
    [...plane.fleetState.destinations.entries()].map(([, { value }]) => [value.metadata.name, value]),
  );
  const serviceOf = (service: number) => known.get(`service-${service}`);
  for (let position = 0; position < changes; position++) change(position);
  const meter = new WorkMeter(plane.graph);
  const cpu = cpuMs(() => {
    for (let position = changes; position < 2 * changes; position++) change(position);
  });
  return {
    cpuMsPerChange: cpu / changes,
    translated: meter.of(isTranslation).recomputed,
    runsPerChange: meter.of(() => true).recomputed / changes,
    outputsUnchanged: digest(plane) === before,
  };
}
