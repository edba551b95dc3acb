/**
 * The bugs a simulation must catch. They are put where the product decides between what it was told and what it does: the translation itself is not
 * among them, since the oracle uses it too.
 */
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
    name: 'term-not-raised',
    forgets: 'each reign has a term of its own',
    file: 'packages/kube/src/output-ledger-term.ts',
    find: ') + 1;',
    put: ') || 1;',
  },
  {
    name: 'no-fence',
    forgets: 'a Lease is no fence: the last look before each write is',
    file: 'packages/agent/src/apply/fence.ts',
    find: 'if (currentTerm() !== term || validFor() <= 0)',
    put: 'if (currentTerm() === undefined && validFor() < 0)',
  },
  {
    name: 'no-version-on-updates',
    forgets: 'an update names the version it was decided on',
    file: 'packages/agent/src/apply/object-writer.ts',
    find: ': { force: true, expected: { uid, resourceVersion } };',
    put: ': { force: true, expected: {} };',
  },
  {
    name: 'safe-mode-never',
    forgets: 'nothing is sent before all that ever synced is known again',
    file: 'packages/mgmt-server/src/output/safe-mode.ts',
    find: 'active: unknownKinds.size > 0 || missingClusters.length > 0,',
    put: 'active: false,',
  },
  {
    name: 'initial-list-is-truth',
    forgets: 'what was not told yet is not unwanted',
    file: 'packages/agent/src/apply/applier.ts',
    find: 'if (this.#stopped || !this.#options.desired.complete || !this.#options.live.knowsAll) return;',
    put: 'if (this.#stopped) return; this.#options.desired.setComplete(true);',
  },
  {
    name: 'complete-without-saying-so',
    forgets: 'only a batch that says it is complete makes silence mean anything',
    file: 'packages/agent/src/apply/applier.ts',
    find: 'if (batch.complete && !known) {',
    put: 'if (!known) {',
  },
  {
    name: 'vector-not-compared',
    forgets: 'outputs of older inputs are not taken',
    file: 'packages/relay-protocol/src/vector/input-vector.ts',
    find: "if (behind.length === 0) return { order: ahead ? 'newer' : 'equal' };",
    put: "if (behind.length >= 0) return { order: ahead ? 'newer' : 'equal' };",
  },
  {
    name: 'deletes-lost-in-a-relist',
    forgets: 'a list after a gap tells of deletions by what it lacks',
    file: 'packages/kube/src/watch/kind-informer.ts',
    find: "this.#informer.on('delete', (entry) => this.#removed(entry.metadata));",
    put: "this.#informer.on('delete', (entry) => { if (!this.#listed) this.#removed(entry.metadata); });",
  },
  {
    name: 'drift-ignored',
    forgets: 'what somebody changed by hand is put right',
    file: 'packages/agent/src/leadership/reign.ts',
    find: 'if (!this.writer.isSettled(subject)) this.repairs.add(subject);',
    put: 'void subject;',
  },
  {
    name: 'holdings-outlive-a-registration',
    forgets: 'a cluster that is registered anew has told nothing yet',
    file: 'packages/mgmt-server/src/store/fleet.ts',
    find: 'this.#holdings.delete(cluster);\n    this.#quarantines.delete(cluster);\n    await this.write(',
    put: 'this.#quarantines.delete(cluster);\n    await this.write(',
  },
  {
    name: 'eviction-is-deletion',
    forgets: 'what Redis does not have is unknown, and not gone',
    file: 'packages/store/src/redis/replication.ts',
    find: "shared.there = '';\n      shared.forgetBase();\n      this.#rescue(shared);\n    }\n  }",
    put: 'if (!shared.mine) clusters.takeUpRemoval(shared, { ...shared.version, life: shared.version.life + 1 });\n    }\n  }',
  },
  {
    name: 'older-snapshots-taken-up',
    forgets: 'what Redis has may be older than what is known',
    file: 'packages/store/src/redis/replication.ts',
    find: 'const order = shared.known ? compareStored(found.version, shared.version) : 1;',
    put: 'const order = 1;',
  },
  {
    name: 'stream-not-followed',
    forgets: 'what other replicas are told must be followed',
    file: 'packages/store/src/redis/replication.ts',
    find: '} else if (step.from !== this.#options.replica) this.#take(step);',
    put: '}',
  },
  {
    name: 'failed-writes-forgotten',
    forgets: 'a write that failed is made again',
    file: 'packages/agent/src/apply/applier.ts',
    find: 'if (outcome.retry) again(subject);',
    put: 'void again;',
  },
  {
    name: 'late-creates-stay',
    forgets: 'a kind that was listed shows what is not wanted',
    file: 'packages/agent/src/leadership/reign.ts',
    find: 'this.applier.prune().catch(',
    put: 'Promise.resolve().catch(',
  },
  {
    name: 'conflicts-given-up',
    forgets: 'who lost a race reads again and tries again',
    file: 'packages/agent/src/apply/object-writer.ts',
    find: 'if (raced && attempt < ATTEMPTS) {',
    put: 'if (raced && attempt < 0) {',
  },
];
