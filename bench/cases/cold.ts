/** The cost of translating a whole fleet in a new process, compared with the cost of just reading it. */
import type { KubeObject } from '@meshrelay/api';
import { generateFleet } from '../fleet/generate.ts';
import { digest, fill, type ParsedObject, parsed, sha256 } from '../fleet/plane.ts';
import type { FleetShape } from '../fleet/shape.ts';
import { cpuMs, peakRssMiB } from '../measure.ts';

export interface ColdInput {
  readonly shape: FleetShape;
  /** The ledger of a previous server; omitted: the very first start, with every decision still to make. */
  readonly ledgers?: readonly KubeObject[];
}

export interface ColdResult {
  readonly checksum: string;
  /** JSON.parse and one SHA-256 of every input. */
  readonly floorCpuMs: number;
  /** From parsed inputs to all outputs and statuses. */
  readonly coldCpuMs: number;
  /**
   * From there to the objects in the management cluster: discovered objects and their statuses, which one of several
   * replicas computes.
   */
  readonly shownCpuMs: number;
  readonly inputMiB: number;
  readonly outputs: number;
  readonly digest: string;
  readonly peakRssMiB: number;
}

export function cold({ shape, ledgers = [] }: ColdInput): ColdResult {
  const { objects, checksum, bytes } = generateFleet(shape);
  let inputs: ParsedObject[] = [];
  const floorCpuMs = cpuMs(() => {
    inputs = objects.map((one) => {
      sha256(one.json);
      return parsed(one);
    });
  });
  let plane: ReturnType<typeof fill> | undefined;
  const coldCpuMs = cpuMs(() => {
    plane = fill(inputs, ledgers);
  });
  if (plane === undefined) throw new Error('the measured function did not run');
  const { desired, shown } = plane;
  const result = { checksum, floorCpuMs, coldCpuMs, inputMiB: bytes / 2 ** 20, outputs: desired.size };
  const peak = peakRssMiB();
  return { ...result, peakRssMiB: peak, digest: digest(plane), shownCpuMs: cpuMs(() => shown.activate()) };
}

/** The ledger that a fleet's first start writes. */
export function ledgersOf({ shape }: { readonly shape: FleetShape }): readonly KubeObject[] {
  const { fleetState: fleet } = fill(generateFleet(shape).objects.map(parsed));
  return [...fleet.ledgers.entries()].map(([, ledger]) => ledger);
}
