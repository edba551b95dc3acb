/** The line about a policy names the report that determines its state. */
import type { PolicyRef, Report, TargetStatus } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { policyLine } from '../../src/output/policy-line.ts';

const REF: PolicyRef = { kind: 'VirtualMesh', cluster: '', namespace: 'meshrelay', name: 'all' };
const report = (severity: Report['severity'], message: string): Report => ({
  code: 'INVALID_VALUE',
  severity,
  message,
});
const target = (...reports: readonly Report[]): TargetStatus => ({
  kind: 'Mesh',
  cluster: 'east',
  namespace: 'istio-system',
  name: 'istiod',
  state: 'DEGRADED',
  reports,
});

test('a warning on a target precedes one on the policy itself, which does not change its state', () => {
  const targets = [target(report('warning', 'pods refuse callers'))];
  const status = { state: 'DEGRADED' as const, reports: [report('warning', 'roots are not known')], targets };
  assert.is(policyLine(REF, status), 'VirtualMesh meshrelay/all is DEGRADED: pods refuse callers');
});

test('an error on the policy itself precedes all others', () => {
  const targets = [target(report('error', 'it failed here'))];
  const status = { state: 'INVALID' as const, reports: [report('error', 'a field is wrong')], targets };
  assert.is(policyLine(REF, status), 'VirtualMesh meshrelay/all is INVALID: a field is wrong');
});

test('for an accepted policy the line has the warning on the policy itself', () => {
  const status = { state: 'ACCEPTED' as const, reports: [report('warning', 'roots are not known')], targets: [] };
  assert.is(policyLine(REF, status), 'VirtualMesh meshrelay/all is ACCEPTED: roots are not known');
});

test.run();
