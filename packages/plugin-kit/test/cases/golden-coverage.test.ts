/** Gaps of golden cases are detected: fields, values, sizes of lists; and reasons that excuse nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CapabilityTable, VIEW_FIELDS } from '@meshrelay/plugin';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { stringify } from 'yaml';
import { goldenCoverageChecks, unshownBy } from '../../src/mod.ts';
import { capabilities } from '../support/paper-mesh.ts';

/** A fleet with these specs of AccessPolicies. */
const withSpecs = (...specs: readonly object[]) => ({
  about: '',
  clusters: {},
  management: specs.map((spec, at) => ({ AccessPolicy: `policy-${at}`, spec })),
});

test('fields, values and sizes that no case covers are named', () => {
  const missing = unshownBy([withSpecs({ action: 'DENY', allowedPorts: [80] })], ['AccessPolicy']);
  for (const line of ['spec.notPaths', 'spec.action = AUDIT', 'spec.allowedPorts of 0', 'spec.allowedPorts of several'])
    assert.ok(missing.includes(`AccessPolicy ${line}`), line);
  for (const line of ['spec.action', 'spec.action = DENY', 'spec.allowedPorts', 'spec.allowedPorts of 1'])
    assert.not.ok(missing.includes(`AccessPolicy ${line}`), line);
});

test('a schema that occurs in several places must be covered in one of them', () => {
  const selector = { kubeServiceMatcher: { labels: { app: 'a' } } };
  const missing = unshownBy([withSpecs({ destinationSelector: [selector] })], ['TrafficPolicy', 'AccessPolicy']);
  assert.not.ok(missing.includes('TrafficPolicy spec.destinationSelector[].kubeServiceMatcher.labels'));
  assert.ok(missing.includes('TrafficPolicy spec.destinationSelector of 1'), 'another list');
});

test('policies of workload clusters count, and a list with a required item need not be covered empty', () => {
  const refs = { kubeServiceRefs: { services: [{ name: 'a', namespace: 'n', clusterName: 'one' }] } };
  const inCluster = { AccessPolicy: 'local', spec: { destinationSelector: [refs] } };
  const missing = unshownBy([{ about: '', clusters: { one: { policies: [inCluster] } } }], ['AccessPolicy']);
  assert.not.ok(missing.includes('AccessPolicy spec.destinationSelector of 1'));
  assert.not.ok(missing.includes('AccessPolicy spec.destinationSelector[].kubeServiceRefs.services of 0'));
});

test('an unknown kind is rejected', () => {
  assert.throws(() => unshownBy([], ['AccesPolicy']), /AccesPolicy is not a Meshrelay kind/);
});

/** The errors of the checks for cases with these AccessPolicies and reports. */
function problems(
  { specs, reported = [] }: { readonly specs: readonly object[]; readonly reported?: readonly string[] },
  table: Partial<CapabilityTable> = {},
  excused: Readonly<Record<string, string>> = {},
): readonly string[] {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'one'));
  writeFileSync(join(folder.path, 'one', 'input.yaml'), stringify(withSpecs(...specs)));
  const reports = reported.map((field) => ({
    code: 'UNSUPPORTED',
    severity: 'warning',
    message: `paper does not carry ${field}: no paper`,
  }));
  writeFileSync(join(folder.path, 'one', 'report.yaml'), stringify([{ reports: [], targets: [{ reports }] }]));
  const plugin = { capabilities: capabilities(table) };
  return goldenCoverageChecks(plugin, { folder: folder.path, kinds: ['AccessPolicy'], excused }).flatMap((check) => {
    try {
      check.run();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

const UNSUPPORTED = { unsupported: 'no paper' };
const DENIES = { specs: [{ action: 'DENY' }] };

test('without a reason it fails, with one it passes, and an unnecessary reason fails', () => {
  assert.match(
    problems(DENIES)[0] ?? '',
    /no golden case shows, the capability table supports, and no reason is given:\n {2}AccessPolicy spec\.sourceSelector\n/,
  );
  assert.equal(problems(DENIES, {}, { 'AccessPolicy spec.': 'enough for a test' }), []);
  const idle = problems(
    DENIES,
    {},
    { 'AccessPolicy spec.': 'enough for a test', 'AccessPolicy spec.action = DENY': 'shown' },
  );
  assert.equal(idle, [
    'shown by golden cases, or left out by the capability table, so needs no reason any more: AccessPolicy spec.action = DENY',
  ]);
});

test('cases need not cover unsupported fields, but must cover their reports', () => {
  const table = { 'access.exclusions': UNSUPPORTED, 'access.audit': UNSUPPORTED } as const;
  const [unshown = '', ...more] = problems(DENIES, table);
  for (const line of ['spec.notPaths', 'spec.action = AUDIT']) assert.not.ok(unshown.includes(line), line);
  for (const line of ['spec.allowedPaths', 'spec.action = ALLOW']) assert.ok(unshown.includes(line), line);
  assert.equal(more, ["no golden case's report.yaml has the UNSUPPORTED of: access.audit, access.exclusions"]);
  const reported = { ...DENIES, reported: ['access.audit', 'access.exclusions'] };
  assert.is(problems(reported, table).length, 1);
});

test('a field that the table supports again must be covered again', () => {
  const shown = (table: Partial<CapabilityTable>) => (problems(DENIES, table)[0] ?? '').includes('spec.allowedMethods');
  assert.not.ok(shown({ 'access.methods': UNSUPPORTED }));
  assert.ok(shown({ 'access.methods': 'native' }));
  assert.ok(shown({ 'access.methods': { degraded: 'blots' } }));
});

test('a reason that the table already gives is rejected', () => {
  const reasons = { 'AccessPolicy spec.allowedMethods': 'by hand' };
  assert.match(
    problems(DENIES, { 'access.methods': UNSUPPORTED }, reasons)[1] ?? '',
    /needs no reason any more: AccessPolicy spec\.allowedMethods/,
  );
});

test('a kind without any supported field need not be covered', () => {
  const fields = VIEW_FIELDS.filter((field) => field.startsWith('access.'));
  const table = Object.fromEntries(fields.map((field) => [field, UNSUPPORTED]));
  assert.equal(problems({ specs: [{}], reported: fields }, table), []);
});

test.run();
