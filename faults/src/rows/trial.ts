/** One run of one row: the fleet at hand, what was measured, and what the row entitles the product to. */
import { until } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import { TIMEOUT_MS } from '../fleet/fault-fleet.ts';
import type { Replica } from '../fleet/replica.ts';
import type { Write } from '../history/history.ts';
import { canaryWeight, setCanaryWeight } from './canary-policy.ts';

export class Trial {
  readonly fleet: FaultFleet;
  readonly signal: AbortSignal;
  /** Where the history stood at the beginning. */
  readonly mark: number;
  /** Milliseconds by what was measured. */
  readonly measured: Map<string, number[]> = new Map();
  /** Set by rows that make the election itself lie. */
  electionLies = false;
  readonly #deletions: Array<(write: Write) => boolean> = [];

  constructor(fleet: FaultFleet, signal: AbortSignal) {
    this.fleet = fleet;
    this.signal = signal;
    this.mark = fleet.history.mark;
  }

  /** Takes note of a recovery time. */
  measure(what: string, milliseconds: number): void {
    this.measured.set(what, [...(this.measured.get(what) ?? []), milliseconds]);
  }

  /** The row takes away what these outputs are made from: they may go. */
  mayDelete(which: (write: Write) => boolean): void {
    this.#deletions.push(which);
  }

  /** Whether the row entitles to a deletion. */
  entitlesTo(write: Write): boolean {
    return this.#deletions.some((which) => which(write));
  }

  /** Waits until something is so. @throws NotConverged saying what was last missing */
  async eventually<T>(
    what: string,
    probe: () => Promise<T | undefined> | T | undefined,
    missing?: () => string,
  ): Promise<T> {
    const timeoutMs = { signal: this.signal, timeout: TIMEOUT_MS, ...(missing === undefined ? {} : { missing }) };
    return await until(what, timeoutMs, probe);
  }

  /** As {@link eventually}, and measures how long it took. */
  async recovers<T>(what: string, probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
    const start = performance.now();
    const value = await this.eventually(what, probe);
    this.measure(what, performance.now() - start);
    return value;
  }

  /** The leader of a cluster's agent, which there must be. */
  async leader(cluster: string): Promise<Replica> {
    return await this.eventually(`${cluster} to have a leader`, () => this.fleet.leader(cluster));
  }

  /** The clusters that a replica leads. */
  async ledBy(replica: Replica): Promise<readonly string[]> {
    const names = this.fleet.workloads.map(({ plan }) => plan.name);
    const leaders = await Promise.all(names.map((name) => this.fleet.leader(name)));
    return names.filter((_, index) => leaders[index] === replica);
  }

  /** The other replica of a cluster's agent leads, over the API that is at hand. */
  async otherLeads(cluster: string, than: Replica): Promise<Replica> {
    return await this.eventually(`another replica than ${than.name} to lead ${cluster}`, async () => {
      const leader = await this.fleet.leader(cluster);
      return leader === undefined || leader === than ? undefined : leader;
    });
  }

  /** Changes a policy; gives what says whether the change has arrived in the cluster it is for. */
  edit(): () => boolean {
    const weight = setCanaryWeight(this.fleet);
    return () => canaryWeight(this.fleet) === weight;
  }

  /** Changes a policy and waits until the change has arrived: the road is open. */
  async follows(): Promise<void> {
    const arrived = this.edit();
    await this.eventually('an edit to arrive', () => arrived() || undefined);
  }

  /** The writes since the beginning. */
  writes(): readonly Write[] {
    return this.fleet.history.since(this.mark);
  }
}
