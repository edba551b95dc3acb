/** Edits of a policy, which outputs and real requests show. */
import { assert, eventually } from '@meshrelay/testing';
import type { RealCluster } from '../lab/real-cluster.ts';
import { answered } from './bookinfo/requests.ts';
import { type Fleet, INTERVAL, WITHIN } from './fleet.ts';
import { WORKLOAD_CLUSTERS } from './names.ts';
import { deleted, type Output, outputsOf } from './outputs.ts';
import { EDIT_HEADER, editRetries } from './policies.ts';

export class Edits {
  readonly #fleet: Fleet;
  readonly #first: readonly (readonly Output[])[];
  #last: number;

  private constructor(fleet: Fleet, last: number, first: readonly (readonly Output[])[]) {
    this.#fleet = fleet;
    this.#last = last;
    this.#first = first;
  }

  /** @param attempts in the policy now; resolves when all clusters have its outputs */
  static async begin(fleet: Fleet, attempts: number): Promise<Edits> {
    return new Edits(fleet, attempts, await outputsWith(fleet.workloads, attempts));
  }

  /** Changes the policy. @throws Error if the change does not arrive everywhere, or an output was deleted */
  async next(): Promise<void> {
    this.#last += 1;
    const [{ management, workloads }, attempts] = [this.#fleet, this.#last];
    // The API server refuses writes while a CRD is replaced.
    await eventually('the edit is accepted', () => editRetries(management.client, attempts, WORKLOAD_CLUSTERS), {
      every: INTERVAL,
    });
    const after = await outputsWith(workloads, attempts);
    assert.equal(
      this.#first.flatMap((outputs, index) => deleted(outputs, after[index] ?? [])),
      [],
    );
    await this.applies();
  }

  /** Resolves when requests are answered as the last edit says. */
  async applies(): Promise<void> {
    const [first] = this.#fleet.workloads;
    if (first === undefined) throw new Error('no workload cluster');
    const headers = { [EDIT_HEADER]: String(this.#last) };
    await answered(first, { from: 'productpage', url: 'http://reviews:9080/' }, { status: 200, headers });
  }
}

/** The outputs of each cluster, once one of them has this number of attempts. */
function outputsWith(clusters: readonly RealCluster[], attempts: number): Promise<readonly (readonly Output[])[]> {
  const text = `"attempts":${attempts}`;
  return Promise.all(
    clusters.map(async ({ name, client }) => {
      let seen: readonly Output[] = [];
      return eventually(
        `outputs of ${name} contain ${text}`,
        async () => {
          seen = await outputsOf(client);
          return seen.some((output) => output.text.includes(text)) ? seen : undefined;
        },
        { deadline: WITHIN, every: INTERVAL, seen: () => seen.map(({ key }) => key) },
      );
    }),
  );
}
