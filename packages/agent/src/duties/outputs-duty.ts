/** The leader applies outputs and puts drift right; at its end the write under way is the last. */
import type { MemberDuty } from './duties.ts';

export const outputsDuty: MemberDuty = {
  name: 'outputs',
  who: 'leader',
  start: ({ reign }) => ({
    async [Symbol.asyncDispose]() {
      reign.writer.stop();
      reign.patchWriter.stop();
      reign.statusApplier.stop();
      await Promise.all([reign.applier.stop(), reign.repairs[Symbol.asyncDispose]()]);
    },
  }),
};
