/** The output stage: chooses the desired objects of each cluster among the proposals of plugins. */
import type { Collection, Group } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { MappedCollection } from '../graph/shown.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { Diagnostic, Resolved } from '../resolve/mod.ts';
import type { FleetState } from '../store/fleet-state.ts';
import type { Contributed, PackedOutput, PatchProposal, Translated } from '../translate/mod.ts';
import { chooseDesired, type Proposal, type RejectedProposal } from './desired.ts';
import { type DesiredObject, desiredObject } from './desired-object.ts';
import { workloadsRunning } from './failing-workloads.ts';
import { choosePatches } from './patches.ts';
import type { PolicyAckStatus } from './proxy-status.ts';
import type { PolicyUnanswered } from './unanswered-by-proxies.ts';

/** What the desired objects were selected from, each under `desiredKey`. */
export interface Origins {
  /** Objects proposed by views; more than one if several views propose the same object. */
  readonly proposals: Collection<Group<Proposal>>;
  /** For objects that several views contribute to, in the order of their slots. */
  readonly contributions: Collection<Group<Contributed>>;
  /** Proposals that were rejected, with the reason. */
  readonly rejected: Collection<readonly RejectedProposal[]>;
  /** Fields of user-owned objects that should have another value, with or without consent. */
  readonly patches: Collection<Group<PatchProposal>>;
}

export interface Outputs {
  /** Under `desiredKey`. */
  readonly desired: Collection<DesiredObject>;
  /** The same objects, packed. */
  readonly packed: Collection<PackedOutput>;
  readonly origins: Origins;
  /** Diagnostics about outputs that were rejected or conflict with others, in the order of reporting. */
  readonly diagnostics: readonly Collection<Diagnostic>[];
  /** What proxies report about extensions. */
  readonly ackStatus: Collection<PolicyAckStatus>;
  /** Policies that are not yet applied in all Envoys that they select. */
  readonly unanswered: Collection<PolicyUnanswered>;
}

/** Inputs in addition to what plugins propose. */
export interface OutputContext {
  readonly fleetState: Pick<FleetState, 'present' | 'settingsSpec'>;
  readonly resolved: Pick<Resolved, 'extensions' | 'meshes'>;
  readonly plugins: readonly LoadedPlugin[];
  /** The management namespace: the value of the owner label. */
  readonly owner: string;
}

/** Adds the stage to a graph. */
export function chooseOutputs(
  graph: Graph,
  { proposing, contributions, patches: requested, assemblyDiagnostics }: Translated,
  { fleetState: { present, settingsSpec }, resolved: { extensions, meshes }, plugins, owner }: OutputContext,
): Outputs {
  const patches = choosePatches(graph, requested, { settings: settingsSpec });
  const objects = chooseDesired(graph, proposing, {
    present,
    patches: patches.desired,
    meshes,
    workloadsRunning: workloadsRunning(extensions, meshes),
    plugins,
    owner,
  });
  return {
    desired: new MappedCollection(objects.desired, (one, at) => desiredObject(one, at, owner)),
    packed: objects.desired,
    origins: {
      proposals: objects.proposals,
      contributions,
      rejected: objects.rejected,
      patches: patches.proposals,
    },
    diagnostics: [assemblyDiagnostics, patches.diagnostics, ...objects.diagnostics],
    ackStatus: objects.ackStatus,
    unanswered: objects.unanswered,
  };
}
