/** Prints to standard error which clusters and replicas did not answer. */
import process from 'node:process';
import { plain } from '../output/plain.ts';

/** As in the HTTP API. */
export interface ClusterAnswer {
  readonly cluster: string;
  readonly replicas?: ReadonlyArray<{
    readonly replica: string;
    readonly problem?: string;
    readonly gone?: boolean;
    readonly dropped?: number;
  }>;
  readonly problem?: string;
}

export function say(line: string): void {
  process.stderr.write(`${plain(line)}\n`);
}

/** The problems, one line each. */
export function problemsOf(clusters: readonly ClusterAnswer[]): string[] {
  return clusters.flatMap(({ cluster, problem, replicas = [] }) => [
    ...(problem === undefined ? [] : [`${cluster}: ${problem}`]),
    ...replicas.flatMap((each) =>
      each.problem === undefined
        ? []
        : [`${cluster}: replica ${each.replica} did not answer, so its entries are missing: ${each.problem}`],
    ),
  ]);
}

/** Prints changes only, so no problem is repeated. */
export class ClusterStates {
  /** The problem of each cluster and replica. */
  readonly #wrong = new Map<string, string>();
  readonly #dropped = new Map<string, number>();

  /** Handles a cluster's answer, which may describe only some of its replicas. */
  reported({ cluster, problem, replicas = [] }: ClusterAnswer): void {
    this.#set(cluster, problem);
    for (const { replica, problem: why, gone, dropped } of replicas) {
      const name = `${cluster}: replica ${replica}`;
      if (gone === true) {
        this.#wrong.delete(name);
        say(`${name} has stopped; entries that it had not sent are lost`);
      } else this.#set(name, why === undefined ? undefined : `does not answer: ${why}`);
      const more = (dropped ?? 0) - (this.#dropped.get(name) ?? 0);
      if (more > 0) say(`${name} dropped ${more} entries: a proxy exceeds its rate, or sends malformed entries`);
      if (dropped !== undefined) this.#dropped.set(name, dropped);
    }
  }

  #set(name: string, problem: string | undefined): void {
    if (this.#wrong.get(name) === problem) return;
    if (problem === undefined) {
      this.#wrong.delete(name);
      say(`${name} answers again; some entries since then may be missing`);
    } else {
      this.#wrong.set(name, problem);
      say(`${name}${problem.startsWith('does not') ? '' : ':'} ${problem}`);
    }
  }
}
