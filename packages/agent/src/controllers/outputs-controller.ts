/** The leader applies outputs and puts drift right; at its end the write under way is the last. */
import type { MemberController } from './controllers.ts';

export const outputsController: MemberController = {
  name: 'outputs',
  runsOn: 'leader',
  start: ({ leaderTerm }) => ({
    async [Symbol.asyncDispose]() {
      leaderTerm.writer.stop();
      leaderTerm.patchWriter.stop();
      leaderTerm.statusApplier.stop();
      await Promise.all([leaderTerm.applier.stop(), leaderTerm.repairs[Symbol.asyncDispose]()]);
    },
  }),
};
