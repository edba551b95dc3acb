/** OSM's own catalog as a program that answers questions: `go/osm`. */
import type { KubeObject } from '@meshrelay/api';
import { requestedProgram } from '../ask-program.ts';

const ask = await requestedProgram('osm');

/** A cluster of OSM. */
export interface OsmCluster {
  /** Whether everybody may call everybody, whatever TrafficTargets say. */
  readonly permissive: boolean;
  readonly objects: readonly KubeObject[];
}

/** What all proxies of each cluster send and let in, as text; lists are in order, since OSM has none for most of them. `null` where it cannot read an object. */
export function reportedByOsm(clusters: readonly OsmCluster[]): string[] {
  return ask([], clusters);
}
