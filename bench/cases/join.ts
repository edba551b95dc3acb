/** What one more cluster costs, with any number of clusters already joined. */
import { setObject, settle } from '@meshrelay/relay-core';
import { cpuMs, median } from '../measure.ts';
import { generateWorld, objectsOfCluster } from '../world/generate.ts';
import { fill, OPTIONS, parsed } from '../world/plane.ts';
import type { WorldShape } from '../world/shape.ts';

export interface JoinInput {
  readonly shape: WorldShape;
  readonly services: number;
  readonly joins: number;
}

export interface JoinResult {
  /** Median over the clusters that joined one after the other. */
  readonly cpuMsPerJoin: number;
}

/** Clusters that no VirtualMesh names join, so that nothing is to be told to the others. */
export function join({ shape, services, joins }: JoinInput): JoinResult {
  const plane = fill(generateWorld(shape).objects.map(parsed));
  const costs: number[] = [];
  for (let position = 0; position < joins; position++) {
    const cluster = `joining-${position}`;
    const objects = objectsOfCluster(cluster, services);
    const cpu = cpuMs(() => {
      plane.graph.commit((transaction) => {
        for (const one of objects) setObject(transaction, plane.world, one.cluster, one.object);
      });
      settle(plane, OPTIONS);
    });
    costs.push(cpu);
  }
  return { cpuMsPerJoin: median(costs.slice(Math.floor(joins / 2))) };
}
