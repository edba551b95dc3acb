/** F42: the relay's root is rotated while everything runs. */
import { rotateCa } from '@meshrelay/cli';
import { Secrets } from '@meshrelay/kube';
import { NAMESPACE } from '@meshrelay/local-fleet';
import { TIMEOUT_MS } from '../fleet/fault-fleet.ts';
import { isConnected } from '../trial/connected.ts';
import type { Row } from '../trial/row.ts';

export const rootRotated: Row = {
  id: 'F42',
  title: 'the root of the relay’s CA is exchanged',
  inject: 'meshctl relay rotate-ca, with edits on the way',
  expect: 'every agent gets the new root and a certificate under it; an agent reconnects only to use it; edits arrive',
  async run(trial) {
    const { fleet, signal } = trial;
    const { connection: management } = fleet.management;
    const secrets = new Secrets(management, NAMESPACE);
    const rootOf = async (): Promise<string> => (await secrets.read('relay-root-tls-secret'))?.data['ca.crt'] ?? '';
    const before = await rootOf();
    // One after the other: an edit that the next one overtakes never arrives.
    let edits = Promise.resolve();
    try {
      await rotateCa({
        management,
        namespace: NAMESPACE,
        without: [],
        timeout: 4 * TIMEOUT_MS,
        signal,
        now: () => new Date(),
        step: () => {
          edits = edits.then(() => trial.follows());
        },
      });
    } finally {
      await edits;
    }
    const after = await rootOf();
    if (before.includes(after.trim()) || after.includes(before.trim()))
      throw new Error('the old root is trusted still');
    await trial.eventually('every agent to trust the new root alone', async () => {
      for (const { connection } of fleet.workloads) {
        const held = (await new Secrets(connection, NAMESPACE).read('relay-root-tls-secret'))?.data['ca.crt'];
        if (held?.trim() !== after.trim()) return undefined;
      }
      return true;
    });
    await trial.recovers('agents connected', () => isConnected(fleet));
    await fleet.settled(signal);
    await trial.follows();
  },
};
