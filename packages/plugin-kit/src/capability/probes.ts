/** A probe for every field of the views: a field without one does not compile. */
import type { ViewField } from '@meshrelay/relay-core';
import type { Probe } from './probe.ts';
import { ACCESS_PROBES } from './probes/access.ts';
import { ACCESS_LOG_PROBES } from './probes/access-log.ts';
import { MATCH_PROBES } from './probes/match.ts';
import { MESH_PROBES } from './probes/mesh.ts';
import { SOURCE_PROBES } from './probes/source.ts';
import { VIRTUAL_DESTINATION_PROBES } from './probes/virtual-destination.ts';
import { WASM_PROBES } from './probes/wasm.ts';
import { TRAFFIC_PROBES } from './traffic/mod.ts';

export const PROBES: Readonly<Record<ViewField, Probe>> = {
  ...MATCH_PROBES,
  ...SOURCE_PROBES,
  ...TRAFFIC_PROBES,
  ...ACCESS_PROBES,
  ...VIRTUAL_DESTINATION_PROBES,
  ...ACCESS_LOG_PROBES,
  ...WASM_PROBES,
  ...MESH_PROBES,
};
