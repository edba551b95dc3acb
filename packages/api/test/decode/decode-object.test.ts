// Messages about objects of unknown kinds, and tolerated deviations.
import { assert, test } from '@meshrelay/testing';
import { decodeObject } from '../../src/mod.ts';

const proper = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'AccessPolicy',
  metadata: { name: 'a', namespace: 'meshrelay' },
  spec: {},
};

function messages(raw: unknown): string[] {
  return (decodeObject(raw).problems ?? []).map(({ message }) => message);
}

test('an unknown kind names the nearest known one', () => {
  assert.equal(messages({ ...proper, kind: 'AcessPolicy' }), [
    'AcessPolicy is not a kind of networking.meshrelay.dev/v1alpha1; did you mean AccessPolicy?',
  ]);
});

test('a known kind in another group or version names the right one', () => {
  assert.equal(messages({ ...proper, apiVersion: 'networking.meshrelay.dev/v1' }), [
    'AccessPolicy is served as networking.meshrelay.dev/v1alpha1, not networking.meshrelay.dev/v1',
  ]);
});

test('an unknown kind without a similar one lists those of the group', () => {
  assert.match(
    String(messages({ ...proper, kind: 'Zebra' })[0]),
    /there are VirtualMesh, TrafficPolicy, AccessPolicy, VirtualDestination$/,
  );
});

test('an unknown field names the nearest known one, or all known ones', () => {
  assert.equal(messages({ ...proper, spec: { sourceSelectors: [] } }), [
    'spec.sourceSelectors is not a field of AccessPolicySpec; did you mean sourceSelector?',
  ]);
  assert.match(
    String(messages({ ...proper, spec: { zebra: 1 } })[0]),
    /, which has sourceSelector, destinationSelector, action,/,
  );
});

test('a value that is not an object is reported as such', () => {
  assert.equal(messages(null), ['the document must be an object, got null']);
  assert.equal(messages([]), ['the document must be an object, got a list']);
  assert.equal(messages('text'), ['the document must be an object, got "text"']);
  assert.equal(messages({}), ['apiVersion is required and must be a string']);
  assert.equal(messages({ apiVersion: 5 }), ['apiVersion must be a string, got 5']);
});

test('a value of another type is reported with the expected form', () => {
  const reported = (policy: object) => messages({ ...proper, kind: 'TrafficPolicy', spec: { policy } });
  assert.equal(reported({ requestTimeout: 3 }), [
    'spec.policy.requestTimeout must be a duration of at least 1ms, such as 250ms, 1.5s or 1m30s, got 3',
  ]);
  assert.equal(reported({ retries: { attempts: '3' } }), [
    'spec.policy.retries.attempts must be a number, got "3"; write 3, without quotes',
  ]);
  assert.equal(reported({ faultInjection: { fixedDelay: '1s', percentage: '50%' } }), [
    'spec.policy.faultInjection.percentage must be a number, got "50%"; write 50, without quotes',
  ]);
  assert.equal(reported({ csrf: { filterEnabled: 'true' } }), [
    'spec.policy.csrf.filterEnabled must be true or false, got "true"; write true, without quotes',
  ]);
  assert.equal(reported({ csrf: { filterEnabled: 'yes' } }), [
    'spec.policy.csrf.filterEnabled must be true or false, got "yes"',
  ]);
  assert.equal(reported({ retries: { attempts: 1, retryOn: '5xx,reset' } }), [
    'spec.policy.retries.retryOn must be a list, got "5xx,reset"; begin each item with a dash',
  ]);
  const selector = { kubeServiceMatcher: { labels: { canary: true }, namespaces: [7] } };
  assert.equal(messages({ ...proper, kind: 'TrafficPolicy', spec: { destinationSelector: [selector] } }), [
    'spec.destinationSelector[0].kubeServiceMatcher.labels.canary must be a string, got true; quote it',
    'spec.destinationSelector[0].kubeServiceMatcher.namespaces[0] must be a string, got 7; quote it',
  ]);
});

test('long values are shortened and control characters escaped', () => {
  const [message = ''] = messages({ ...proper, spec: `\u001b${'x'.repeat(500)}` });
  assert.ok(message.length < 120);
  assert.not.ok(message.includes('\u001b'));
});

test('problems are bounded', () => {
  const spec = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`zebra${index}`, 1]));
  assert.is(messages({ ...proper, spec }).length, 20);
});

test('null in metadata and an empty status are ignored', () => {
  const metadata = { ...proper.metadata, creationTimestamp: null, labels: null, annotations: null };
  assert.equal(decodeObject({ ...proper, metadata, status: {} }).object, proper);
  assert.equal(decodeObject({ ...proper, status: null }).object, proper);
});

test('metadata from an API server is accepted', () => {
  const metadata = {
    ...proper.metadata,
    uid: 'u',
    resourceVersion: '12',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [{ manager: 'kubectl', fieldsV1: { 'f:spec': {} } }],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'y', controller: true }],
    finalizers: ['x/y'],
    annotations: { constructor: 'fine', 'a/b': 'c' },
    labels: { constructor: 'fine' },
  };
  assert.equal(decodeObject({ ...proper, metadata }), { object: { ...proper, metadata }, reports: [] });
});

test('a status of another version is dropped when pruning, and rejected otherwise', () => {
  const foreign = { ...proper, status: { phase: 'Ready' } };
  assert.is(messages(foreign).length > 0, true);
  assert.equal(decodeObject(foreign, { unknownFields: 'prune' }).object, proper);
});

test('pruning tolerates unknown fields only', () => {
  const decoded = decodeObject({ ...proper, spec: { zebra: 1, allowedPorts: 'x' } }, { unknownFields: 'prune' });
  assert.equal(
    decoded.problems?.map(({ field }) => field),
    ['spec.allowedPorts', 'spec.zebra'],
  );
});

test('pruning does not change its input', () => {
  const raw = { ...proper, spec: { zebra: 1 } };
  assert.equal(decodeObject(raw, { unknownFields: 'prune' }).object, proper);
  assert.equal(raw.spec, { zebra: 1 });
});

test.run();
