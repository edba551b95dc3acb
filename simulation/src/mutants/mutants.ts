/** The bugs a simulation must catch. */
import type { Mutant } from './mutant.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'lease-identity-without-uuid',
    forgets: 'the holder of a Lease is one process start, not a name that the next one has, too',
    file: 'packages/agent-leader/src/identity.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text of a source file
    find: '_${randomUUID()}',
    put: '',
  },
  {
    name: 'no-version-on-writes',
    forgets: 'updates and deletes name the version they are decided on',
    file: 'packages/agent/src/apply/object-writer.ts',
    find: ': { force: true, expected: { uid, resourceVersion } };',
    put: ': { force: true, expected: {} };',
  },
  {
    name: 'no-fence',
    forgets: 'a Lease is no fence: the last look before each write is',
    file: 'packages/agent/src/apply/fence.ts',
    find: 'if (currentTerm() !== term || validFor() <= 0)',
    put: 'if (currentTerm() === undefined && validFor() < 0)',
  },
  {
    name: 'initial-list-is-truth',
    forgets: 'safe mode: nothing is sent before all that ever synced is known again',
    file: 'packages/mgmt-server/src/output/safe-mode.ts',
    find: 'active: unknownKinds.size > 0 || missingClusters.length > 0,',
    put: 'active: false,',
  },
];
