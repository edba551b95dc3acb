/** The cost of one more cluster, with any number of clusters already connected. */
import { setObject, settle } from '@meshrelay/relay-core';
import { generateFleet, objectsOfCluster } from '../fleet/generate.ts';
import { digest, fill, OPTIONS, type ParsedObject, parsed } from '../fleet/plane.ts';
import type { FleetShape } from '../fleet/shape.ts';
import { virtualMesh, virtualMeshes } from '../fleet/virtual-meshes.ts';
import { cpuMs, median } from '../measure.ts';
import { WorkMeter } from '../work-done.ts';

export interface JoinInput {
  readonly shape: FleetShape;
  readonly services: number;
  readonly joins: number;
  /** Whether a new control plane, fed all of it, is compared with the result of the joins. */
  readonly compare?: boolean;
}

export interface JoinResult {
  /** Medians over the clusters that joined one after the other. */
  readonly cpuMsPerJoin: number;
  readonly cpuMsPerObject: number;
  /** Objects changed, in all clusters. */
  readonly objectsPerJoin: number;
  /** Runs of all nodes, with or without a change. */
  readonly runsPerJoin: number;
  /** Whether a new control plane gave the same bytes; undefined if it was not requested. */
  readonly oracle?: boolean;
}

/**
 * In a fleet without VirtualMeshes the other clusters must not change; else each cluster joins the next
 * VirtualMesh.
 */
export function join({ shape, services, joins, compare = false }: JoinInput): JoinResult {
  const before = generateFleet(shape).objects.map(parsed);
  const plane = fill(before);
  const meter = new WorkMeter(plane.graph);
  const costs: Array<{ readonly cpu: number; readonly objects: number; readonly runs: number }> = [];
  const concatenated: ParsedObject[] = [];
  for (let position = 0; position < joins; position++) {
    const objects = joining(shape, position, services);
    concatenated.push(...objects);
    meter.restart();
    const cpu = cpuMs(() => {
      plane.graph.commit((transaction) => {
        for (const one of objects) setObject(transaction, plane.fleetState, one.cluster, one.object);
      });
      settle(plane, OPTIONS);
    });
    costs.push({
      cpu,
      objects: meter.of((node) => node === 'output/desired').changed,
      runs: meter.of(() => true).recomputed,
    });
  }
  const measured = costs.slice(Math.floor(joins / 2));
  const result = {
    cpuMsPerJoin: median(measured.map(({ cpu }) => cpu)),
    cpuMsPerObject: median(measured.map(({ cpu, objects }) => cpu / objects)),
    objectsPerJoin: median(measured.map(({ objects }) => objects)),
    runsPerJoin: median(measured.map(({ runs }) => runs)),
  };
  if (!compare) return result;
  const ledgers = [...plane.fleetState.ledgers.entries()].map(([, ledger]) => ledger);
  return { ...result, oracle: digest(fill([...before, ...concatenated], ledgers)) === digest(plane) };
}

/** A cluster, and the VirtualMesh that has it as a further member. */
function joining(shape: FleetShape, position: number, services: number): ParsedObject[] {
  const name = (of: number): string => `joining-${of}`;
  const objects = [...objectsOfCluster(name(position), services, shape.exportEvery)];
  const count = virtualMeshes(shape).length;
  if (count === 0) return objects;
  const mesh = position % count;
  const members = Array.from({ length: position + 1 }, (_, of) => of).filter((of) => of % count === mesh);
  return [...objects, { cluster: '', object: virtualMesh(shape, mesh, members.map(name)) }];
}
