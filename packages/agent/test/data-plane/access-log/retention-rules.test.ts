/** Objects define which access-log entries of workloads are retained. */
import { type AccessLogFields, KEEP_ALL } from '@meshrelay/access-log-sink';
import type { AccessLogRule, KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { RetentionRules } from '../../../src/data-plane/access-log/retention-rules.ts';
import { ofWholeLogs } from '../../../src/data-plane/access-log/whole-logs.ts';

function rule(changes: Partial<AccessLogRule>): AccessLogRule {
  return {
    name: 'meshrelay/r',
    filters: [],
    includedRequestHeaders: [],
    includedResponseHeaders: [],
    includedResponseTrailers: [],
    includedFilterStateObjects: [],
    ...changes,
  };
}

const ERRORS = rule({ filters: [{ statusCodeMatcher: { value: 500, comparator: 'GE' } }] });
const MISSING = rule({ filters: [{ statusCodeMatcher: { value: 404, comparator: 'EQ' } }] });

function config(name: string, workload: string, ...rules: readonly AccessLogRule[]): KubeObject {
  return {
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'AccessLogConfig',
    metadata: { name, namespace: 'bookinfo' },
    spec: { workload, rules },
  } as unknown as KubeObject;
}

const reporter = (name: string, namespace = 'bookinfo') => ({
  address: '10.0.0.1',
  cluster: 'c',
  workload: { name, namespace, cluster: 'c' },
  node: { id: '', cluster: '' },
  logName: 'inbound',
});
const entry = (status: number): AccessLogFields => ({ kind: 'http', status }) as AccessLogFields;

function retained(): { readonly rules: RetentionRules; readonly unfit: string[] } {
  const unfit: string[] = [];
  return { rules: new RetentionRules({ onUnfit: ({ name }, which) => unfit.push(`${name} ${which}`) }), unfit };
}

test('entries that a workload rule requests are retained, and the rest is not', () => {
  const { rules } = retained();
  rules.upsert(config('a', 'reviews', ERRORS));
  const found = rules.rulesFor(reporter('reviews'));
  assert.is(found, rules.rulesFor(reporter('reviews')), 'the same object');
  assert.is(found.keeps(entry(500)), true);
  assert.is(found.keeps(entry(200)), false);
});

test('a workload without a record, or in another namespace, has all its entries retained', () => {
  const { rules } = retained();
  rules.upsert(config('a', 'reviews', ERRORS));
  assert.is(rules.rulesFor(reporter('ratings')), KEEP_ALL);
  assert.is(rules.rulesFor(reporter('reviews', 'other')), KEEP_ALL);
  assert.is(rules.rulesFor({ workload: undefined }), KEEP_ALL);
});

test('controllers of one name share rules, and rules of a deleted object are removed', () => {
  const { rules } = retained();
  rules.replaceAll([config('a', 'reviews', ERRORS), config('b', 'reviews', MISSING)]);
  assert.is(rules.rulesFor(reporter('reviews')).keeps(entry(404)), true);
  rules.remove({ namespace: 'bookinfo', name: 'b' });
  assert.is(rules.rulesFor(reporter('reviews')).keeps(entry(404)), false);
  rules.upsert(config('a', 'ratings', ERRORS));
  assert.is(rules.rulesFor(reporter('reviews')), KEEP_ALL);
  rules.replaceAll([]);
  assert.is(rules.rulesFor(reporter('ratings')), KEEP_ALL);
});

test('an expression that could block the agent is left to the proxies, and reported', () => {
  const { rules, unfit } = retained();
  const slow = rule({
    name: 'meshrelay/slow',
    filters: [{ headerMatcher: { name: 'a', value: '(a+)+', regex: true } }],
  });
  rules.upsert(config('a', 'reviews', slow, ERRORS));
  assert.equal(unfit, ['a meshrelay/slow']);
  assert.is(rules.rulesFor(reporter('reviews')).always, true);
});

test('a log that proxies filter is not counted', () => {
  const { rules } = retained();
  rules.upsert(config('a', 'reviews', ERRORS));
  const seen: string[] = [];
  const observer = ofWholeLogs({ needs: [], observe: (_, { workload }) => seen.push(workload?.name ?? '') }, (one) =>
    rules.rulesFor(one),
  );
  observer.observe(entry(500), reporter('reviews'));
  observer.observe(entry(200), reporter('ratings'));
  assert.equal(seen, ['ratings']);
});

test.run();
