/** Leader: applies outputs and repairs drift. When it stops, it finishes only the current write. */
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
