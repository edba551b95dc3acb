/** One run of one row: its fleet, its measurements, and the effects that the row permits. */
import { until } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import { TIMEOUT_MS } from '../fleet/fault-fleet.ts';
import type { Replica } from '../fleet/replica.ts';
import type { Write } from '../history/history.ts';
import { canaryWeight, setCanaryWeight } from './canary-policy.ts';

export class Trial {
  readonly fleet: FaultFleet;
  readonly signal: AbortSignal;
  /** The position in the history at the beginning. */
  readonly mark: number;
  /** Milliseconds by measurement. */
  readonly measured: Map<string, number[]> = new Map();
  /** Set by rows that falsify the election itself. */
  electionLies = false;
  readonly #deletions: Array<(write: Write) => boolean> = [];

  constructor(fleet: FaultFleet, signal: AbortSignal) {
    this.fleet = fleet;
    this.signal = signal;
    this.mark = fleet.history.mark;
  }

  /** Records a recovery time. */
  measure(what: string, milliseconds: number): void {
    this.measured.set(what, [...(this.measured.get(what) ?? []), milliseconds]);
  }

  /** The row removes the source of these outputs: they may be deleted. */
  mayDelete(which: (write: Write) => boolean): void {
    this.#deletions.push(which);
  }

  /** Whether the row permits a deletion. */
  entitlesTo(write: Write): boolean {
    return this.#deletions.some((which) => which(write));
  }

  /** Waits for a condition. @throws NotConverged naming the condition that was missing last */
  async eventually<T>(
    what: string,
    probe: () => Promise<T | undefined> | T | undefined,
    missing?: () => string,
  ): Promise<T> {
    const timeoutMs = { signal: this.signal, timeout: TIMEOUT_MS, ...(missing === undefined ? {} : { missing }) };
    return await until(what, timeoutMs, probe);
  }

  /** Like {@link eventually}, and measures the time. */
  async recovers<T>(what: string, probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
    const start = performance.now();
    const value = await this.eventually(what, probe);
    this.measure(what, performance.now() - start);
    return value;
  }

  /** The leader of a cluster's agent, which must exist. */
  async leader(cluster: string): Promise<Replica> {
    return await this.eventually(`${cluster} to have a leader`, () => this.fleet.leader(cluster));
  }

  /** The clusters that a replica leads. */
  async ledBy(replica: Replica): Promise<readonly string[]> {
    const names = this.fleet.workloads.map(({ plan }) => plan.name);
    const leaders = await Promise.all(names.map((name) => this.fleet.leader(name)));
    return names.filter((_, index) => leaders[index] === replica);
  }

  /** Makes the other replica of a cluster's agent lead, over the available API. */
  async otherLeads(cluster: string, than: Replica): Promise<Replica> {
    return await this.eventually(`another replica than ${than.name} to lead ${cluster}`, async () => {
      const leader = await this.fleet.leader(cluster);
      return leader === undefined || leader === than ? undefined : leader;
    });
  }

  /** Changes a policy; returns a check whether the change has arrived in its cluster. */
  edit(): () => boolean {
    const weight = setCanaryWeight(this.fleet);
    return () => canaryWeight(this.fleet) === weight;
  }

  /** Changes a policy and waits until the change has arrived: the path works. */
  async follows(): Promise<void> {
    const arrived = this.edit();
    await this.eventually('an edit to arrive', () => arrived() || undefined);
  }

  /** The writes since the beginning. */
  writes(): readonly Write[] {
    return this.fleet.history.since(this.mark);
  }
}
