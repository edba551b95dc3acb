/** Everything an agent does, and which of its replicas does it. In the order in which it starts; it ends in the opposite one. */
import { certificatesDuty } from './certificates-duty.ts';
import type { AgentContext, LeaderContext, Leading, MemberContext } from './context.ts';
import { dataPlaneDuty } from './data-plane-duty.ts';
import { envoyAnswersDuty } from './envoy-answers-duty.ts';
import { envoyRootsDuty } from './envoy-roots-duty.ts';
import { healthDuty, statsDuty } from './http-duties.ts';
import { identityDuty } from './identity-duty.ts';
import { inputsDuty } from './inputs-duty.ts';
import { inventoryDuty } from './inventory-duty.ts';
import { ledgerDuty } from './ledger-duty.ts';
import { observeDuty } from './observe-duty.ts';
import { outputsDuty } from './outputs-duty.ts';
import { peersDuty } from './peers-duty.ts';
import { relayDuty } from './relay-duty.ts';
import { workloadCaDuty } from './workload-ca-duty.ts';
import { workloadRootsDuty } from './workload-roots-duty.ts';

interface DutyOf<Who extends string, Context> {
  readonly name: string;
  readonly who: Who;
  /** Begins; disposing of what it gives ends it. */
  start(context: Context): AsyncDisposable | Promise<AsyncDisposable>;
}

/** `every` replica, all the time. */
export type EveryDuty = DutyOf<'every', AgentContext>;
/** The `leader`, for one term. */
export type LeaderDuty<Context = LeaderContext> = DutyOf<'leader', Context>;
/** The leader's, where there is no agent: a server does them for a cluster that it reaches itself. */
export type MemberDuty = LeaderDuty<Leading<MemberContext>>;
export type Duty = EveryDuty | LeaderDuty;

/** Before the streams begin. */
const work: readonly MemberDuty[] = [ledgerDuty, inventoryDuty, certificatesDuty, inputsDuty, outputsDuty];

export const duties: readonly Duty[] = [
  healthDuty,
  statsDuty,
  workloadCaDuty,
  dataPlaneDuty,
  peersDuty,
  envoyRootsDuty,
  ...work,
  observeDuty,
  envoyAnswersDuty,
  workloadRootsDuty,
  identityDuty,
  relayDuty,
];

/** @param road lays the road to the server that the streams take */
export function memberDuties(road: MemberDuty): readonly MemberDuty[] {
  return [...work, road, relayDuty];
}
