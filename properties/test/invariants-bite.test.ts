/** The properties can fail: a manipulated fleet violates each. */
import type { PolicyStatus, TargetStatus, TrafficPolicySpec } from '@meshrelay/api';
import type { ControlPlane } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { Placed } from '../src/fleets/fleet.ts';
import { histories } from '../src/fleets/histories.ts';
import * as properties from '../src/invariants/invariants.ts';
import { statusesAreTrue } from '../src/invariants/status-properties.ts';

const isPolicy = ({ object }: Placed): boolean => object.apiVersion.startsWith('networking.meshrelay.dev');
/** It has many outputs, and a TrafficPolicy for all callers that has effects and no reports. */
const isRich = ({ desired, statuses, resolved }: ControlPlane): boolean =>
  desired.size > 10 &&
  [...statuses.entries()].some(([id, { ref, status }]) => {
    const { spec } = resolved.policies.checked.get(id)?.object ?? {};
    const sources = (spec as TrafficPolicySpec | undefined)?.sourceSelector ?? [];
    return (
      ref.kind === 'TrafficPolicy' &&
      sources.length === 0 &&
      status.reports.length === 0 &&
      status.targets.some(({ state, reports }) => state === 'ACCEPTED' && reports.length === 0)
    );
  });
/** The first seed has a rich fleet today; others follow in case the generators change. */
const FIRST_SEED = 37;
const SEEDS = 100;
const history = Array.from({ length: SEEDS })
  .values()
  .flatMap((_, index) => fc.sample(histories, { numRuns: 1, seed: FIRST_SEED + index }))
  .find((one) => isRich(properties.live(one).fleet.plane));
if (history === undefined) throw new Error(`no fleet of ${SEEDS} seeds is rich enough to be tampered with`);
const honest = (): properties.Lived => properties.live(history);

test('a rich fleet exists to manipulate', () => {
  assert.ok(honest().state.some(isPolicy));
});

test('a deleted policy', () => {
  const lived = honest();
  const state = lived.state.filter((one) => !isPolicy(one));
  assert.throws(() => properties.incrementalIsFromScratch({ ...lived, state }), /differences/);
  assert.throws(() => properties.orderDoesNotMatter({ ...lived, state }, () => 0), /differences/);
  assert.throws(() => properties.everyObjectHasItsReason({ ...lived, state }), /which is gone/);
  assert.throws(() => properties.nothingRemains({ ...lived, state }), /left without a policy/);
});

test('a policy without a status', () => {
  const lived = honest();
  const unknown = lived.state.filter(isPolicy).map(({ cluster, object }) => ({
    cluster,
    object: { ...object, metadata: { ...object.metadata, name: 'unheard-of', uid: 'unheard-of' } },
  }));
  const state = [...lived.state, ...unknown];
  assert.throws(() => properties.everyPolicyIsEvaluated({ ...lived, state }), /without a status/);
  assert.throws(() => properties.resendingChangesNothing({ ...lived, state }), /changed \d+ things/);
});

test("a user's object under the name of a generated one, and a mesh that accepts nothing", () => {
  const lived = honest();
  const [[, desired] = []] = [...lived.fleet.plane.desired.entries()];
  if (desired === undefined) throw new Error('nothing is desired');
  const state = [...lived.state, { cluster: desired.cluster, object: { spec: {}, ...desired.object } }];
  assert.throws(() => properties.everyObjectHasItsReason({ ...lived, state }), /belongs to a user/);
  assert.throws(() => properties.everyObjectIsTaken(lived, () => ['no']), /refuses/);
});

test('a status that states the opposite', () => {
  const { fleet } = honest();
  const lie = (of: (target: TargetStatus) => TargetStatus, as: Partial<PolicyStatus> = {}) => {
    const { statuses, ...plane } = fleet.plane;
    const reported = [...statuses.entries()].map(([id, { status, ...one }]) => {
      const reports = status.reports.filter(({ code }) => code !== 'EMPTY_POLICY');
      return [id, { ...one, status: { ...status, ...as, reports, targets: status.targets.map(of) } }] as const;
    });
    return { fleet: { plane: { ...plane, statuses: { entries: () => reported } as never } } };
  };
  const why = [{ code: 'CONFLICT', severity: 'error', message: 'said to be refused' }] as const;
  statusesAreTrue({ fleet });
  const refused = lie((target) =>
    target.reports.length > 0 ? target : { ...target, state: 'CONFLICT', reports: why },
  );
  assert.throws(() => statusesAreTrue(refused), /is CONFLICT on .*(views name it|there for it)/);
  const silent = lie((target) => ({ ...target, state: 'PENDING', reports: [] }));
  assert.throws(() => statusesAreTrue(silent), /does not say why/);
  const praised = lie((target) => ({ ...target, state: 'ACCEPTED', reports: [], name: `no-${target.name}` }), {
    state: 'ACCEPTED',
  });
  assert.throws(() => statusesAreTrue(praised), /is ACCEPTED on .* without a report/);
});

test.run();
