/** What golden cases lack is found: fields, values, sizes of lists; and reasons that excuse nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { stringify } from 'yaml';
import { goldenCoverageChecks, unshownBy } from '../../src/mod.ts';

/** A fleet with these specs of AccessPolicies. */
const withSpecs = (...specs: readonly object[]) => ({
  about: '',
  clusters: {},
  management: specs.map((spec, at) => ({ AccessPolicy: `policy-${at}`, spec })),
});

test('fields, values and sizes that no case shows are named', () => {
  const missing = unshownBy([withSpecs({ action: 'DENY', allowedPorts: [80] })], ['AccessPolicy']);
  for (const line of ['spec.notPaths', 'spec.action = AUDIT', 'spec.allowedPorts of 0', 'spec.allowedPorts of several'])
    assert.ok(missing.includes(`AccessPolicy ${line}`), line);
  for (const line of ['spec.action', 'spec.action = DENY', 'spec.allowedPorts', 'spec.allowedPorts of 1'])
    assert.not.ok(missing.includes(`AccessPolicy ${line}`), line);
});

test('what stands in several places is to be shown in one of them', () => {
  const selector = { kubeServiceMatcher: { labels: { app: 'a' } } };
  const missing = unshownBy([withSpecs({ destinationSelector: [selector] })], ['TrafficPolicy', 'AccessPolicy']);
  assert.not.ok(missing.includes('TrafficPolicy spec.destinationSelector[].kubeServiceMatcher.labels'));
  assert.ok(missing.includes('TrafficPolicy spec.destinationSelector of 1'), 'another list');
});

test('policies of workload clusters count, and a list that must have an item is not asked for without', () => {
  const refs = { kubeServiceRefs: { services: [{ name: 'a', namespace: 'n', clusterName: 'one' }] } };
  const inCluster = { AccessPolicy: 'local', spec: { destinationSelector: [refs] } };
  const missing = unshownBy([{ about: '', clusters: { one: { policies: [inCluster] } } }], ['AccessPolicy']);
  assert.not.ok(missing.includes('AccessPolicy spec.destinationSelector of 1'));
  assert.not.ok(missing.includes('AccessPolicy spec.destinationSelector[].kubeServiceRefs.services of 0'));
});

test('an unknown kind is refused', () => {
  assert.throws(() => unshownBy([], ['AccesPolicy']), /AccesPolicy is no kind of Meshrelay/);
});

test('without a reason it fails, with one it passes, and a reason for nothing fails', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'one'));
  writeFileSync(join(folder.path, 'one', 'input.yaml'), stringify(withSpecs({ action: 'DENY' })));
  const run = (excused: Readonly<Record<string, string>>): string[] =>
    goldenCoverageChecks({ folder: folder.path, kinds: ['AccessPolicy'], excused }).flatMap((check) => {
      try {
        check.run();
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
  assert.match(
    run({})[0] ?? '',
    /no golden case shows, and no reason is given:\n {2}AccessPolicy spec\.sourceSelector\n/,
  );
  assert.equal(run({ 'AccessPolicy spec.': 'enough for a test' }), []);
  const idle = run({ 'AccessPolicy spec.': 'enough for a test', 'AccessPolicy spec.action = DENY': 'shown' });
  assert.equal(idle, ['shown by golden cases, so needs no reason any more: AccessPolicy spec.action = DENY']);
});

test.run();
