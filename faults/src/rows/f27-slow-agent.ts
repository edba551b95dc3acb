/** F27: one agent is slow. */
import { summary } from '../run/times.ts';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

/** Number of timed edits. */
const EDITS = 12;
/** Milliseconds below which a factor of two means nothing. */
const NOISE = 250;

export const slowAgent: Row = {
  id: 'F27',
  title: 'one agent is slow',
  inject: "cluster-2's agent reads 400 bytes a second, and then not at all",
  expect: 'the others are served as before; it catches up when it can',
  async run(trial) {
    const slow = await trial.leader('cluster-2');
    const before = await timed(trial, 'edit while all is well');
    slow.relay.setFaults({ toClient: { bandwidth: 400 } });
    const during = await timed(trial, 'edit while another is slow');
    slow.relay.setFaults({ toClient: { silent: true } });
    const stuck = await timed(trial, 'edit while another is stuck');
    slow.relay.setFaults({});
    const limit = 2 * Math.max(before, NOISE) * trial.fleet.scale.slack;
    const worst = Math.max(during, stuck);
    if (worst > limit)
      throw new Error(`edits took ${Math.round(worst)} ms elsewhere, allowed are ${Math.round(limit)} ms`);
  },
};

/** The median of the times of edits, in milliseconds. */
async function timed(trial: Trial, what: string): Promise<number> {
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const start = performance.now();
    await trial.follows();
    times.push(performance.now() - start);
    trial.measure(what, performance.now() - start);
  }
  return summary(times).p50;
}
