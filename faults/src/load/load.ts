/**
 * Many agents on a few servers: everything they send arrives, under a stream of changes, and after all of them
 * reconnect at once.
 */
import { readFileSync } from 'node:fs';
import { LoadFleet } from './fleet.ts';
import { Host } from './host.ts';
import { countLost, type Revisions } from './known.ts';
import { type LoopDelay, loopDelays } from './loop-delay.ts';
import type { LoadPlan } from './plan.ts';

export interface LoadResult {
  readonly plan: LoadPlan;
  /** From the first dial to the last acknowledgement, over all agents. Milliseconds. */
  readonly firstSync: number;
  /** Number of changes made. */
  readonly deltas: number;
  /** Milliseconds from a change to its acknowledgement, for the slowest host. */
  readonly answers: { readonly p50: number; readonly p99: number; readonly max: number };
  /**
   * From the restart of all servers, killed at once, until every agent is connected and everything is acknowledged.
   * Milliseconds.
   */
  readonly herd: number;
  /** Objects whose last state no server has. */
  readonly lost: number;
  /** Event loop delay of each server while objects changed, in milliseconds. */
  readonly loopDelays: readonly LoopDelay[];
  /** The longest pause between two renewals of the servers' Lease meanwhile, in milliseconds. */
  readonly leasePause: number;
  /** Bytes of memory of each server at the end. */
  readonly serverMemory: readonly number[];
}

/** Runs it, and ends every started process. */
export async function runLoad(plan: LoadPlan, signal: AbortSignal): Promise<LoadResult> {
  await using fleet = await LoadFleet.start(plan.servers, { signal, timeout: plan.timeoutMs });
  const { agents, roots, key } = await fleet.register(plan.agents);
  await using cleanup = new AsyncDisposableStack();
  const hosts = Array.from({ length: plan.hosts }, () => cleanup.use(new Host()));
  const share = (index: number): typeof agents => agents.filter((_, each) => each % plan.hosts === index);
  const connect = { order: 'connect', roots, key, objects: plan.objects } as const;
  const synced = await Promise.all(
    hosts.map((host, index) => host.does({ ...connect, agents: share(index) }, 'settled', signal)),
  );
  const churn = { order: 'churn', perSecond: plan.perSecond / plan.hosts, seconds: plan.seconds } as const;
  await loopDelays(fleet.programs);
  fleet.renewals.begin();
  const churned = await Promise.all(hosts.map((host) => host.does(churn, 'churned', signal)));
  const delays = await loopDelays(fleet.programs);
  await fleet.renewals.next(AbortSignal.any([signal, AbortSignal.timeout(plan.timeoutMs)]));
  const leasePause = fleet.renewals.longestPause;
  await fleet.restart();
  const back = performance.now();
  const again = await Promise.all(
    hosts.map((host) => host.does({ order: 'churn', perSecond: 0, seconds: 0 }, 'churned', signal)),
  );
  const herd = performance.now() - back;
  const revisions: Revisions = Object.fromEntries(again.flatMap((report) => Object.entries(report.revisions)));
  return {
    plan,
    firstSync: Math.max(...synced.map(({ milliseconds }) => milliseconds)),
    deltas: churned.reduce((sum, { deltas }) => sum + deltas, 0),
    answers: worst(churned.map(({ answers }) => answers)),
    herd,
    lost: await countLost(fleet.programs, revisions),
    loopDelays: delays,
    leasePause,
    serverMemory: fleet.programs.map(({ pid }) => residentBytes(pid)),
  };
}

function worst(each: ReadonlyArray<LoadResult['answers']>): LoadResult['answers'] {
  const max = (of: keyof LoadResult['answers']): number => Math.max(...each.map((answers) => answers[of]));
  return { p50: max('p50'), p99: max('p99'), max: max('max') };
}

/** From Linux's /proc; 0 without it. */
function residentBytes(pid: number): number {
  try {
    const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}
