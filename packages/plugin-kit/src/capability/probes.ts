/** The probes for every field of the views: a field without one does not compile. */
import type { ViewField } from '@meshrelay/plugin';
import { ACCESS_PROBES } from './access/mod.ts';
import { ACCESS_LOG_PROBES } from './access-log/mod.ts';
import { type Probe, probesOf } from './probe.ts';
import { MATCH_PROBES } from './probes/match.ts';
import { SOURCE_PROBES } from './probes/source.ts';
import { TRAFFIC_PROBES } from './traffic/mod.ts';
import { VIRTUAL_DESTINATION_PROBES } from './virtual-destination/mod.ts';
import { MESH_PROBES } from './virtual-mesh/mod.ts';
import { WASM_PROBES } from './wasm/mod.ts';

export const PROBES: Readonly<Record<ViewField, readonly Probe[]>> = {
  ...probesOf<'match'>({ matches: { probes: MATCH_PROBES } }),
  ...probesOf<'source'>({ sources: { probes: SOURCE_PROBES } }),
  ...TRAFFIC_PROBES,
  ...ACCESS_PROBES,
  ...VIRTUAL_DESTINATION_PROBES,
  ...ACCESS_LOG_PROBES,
  ...WASM_PROBES,
  ...MESH_PROBES,
};
