/** OSM's own catalog as a program that answers questions: `go/osm`. */
import type { KubeObject } from '@meshrelay/api';
import { requestedProgram } from '../ask-program.ts';

const ask = await requestedProgram('osm');

/** A cluster of OSM. */
export interface OsmCluster {
  /** Permissive mode: every caller may call every service, regardless of TrafficTargets. */
  readonly permissive: boolean;
  readonly objects: readonly KubeObject[];
}

/**
 * Outbound and inbound rules of all proxies of each cluster, as text. Lists are sorted, since OSM has no order for most
 * of them. `null` if OSM cannot read an object.
 */
export function reportedByOsm(clusters: readonly OsmCluster[]): string[] {
  return ask([], clusters);
}
