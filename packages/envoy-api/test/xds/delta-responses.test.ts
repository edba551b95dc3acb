/** Equal updates of streams share one response; different ones do not. */
import { assert, test } from '@meshrelay/testing';
import { create, discovery } from '../../src/mod.ts';
import { DeltaResponses, DeltaStream, XDS_TYPES, type XdsResource } from '../../src/xds/mod.ts';
import { cluster, endpoints, WrittenView } from '../support/fixture.ts';

const batch = (resources: readonly XdsResource[], ...removed: readonly string[]) => ({ resources, removed });

test('equal resources and removals are one shared response, once per stream', () => {
  const responses = new DeltaResponses();
  const [a, b] = [endpoints('a'), endpoints('b')];
  const of = (after: number, resources = [a, b], ...removed: readonly string[]) =>
    responses.of('clusterLoadAssignment', batch(resources, ...removed), after);
  const first = of(0);
  assert.is(of(0), first);
  assert.is(of(first.sentResponse.nonce - 1), first);
  const again = of(first.sentResponse.nonce);
  assert.is.not(again.message, first.message, 'a stream that gave it gives none twice');
  assert.ok(again.sentResponse.nonce > first.sentResponse.nonce);
  for (const [resources, removed] of [
    [[a], []],
    [[b, a], []],
    [[a, endpoints('b')], []],
    [[a, b], ['c']],
    [[a, b], ['d']],
    [[], []],
  ] as const) {
    const before = of(0);
    const other = of(0, [...resources], ...removed);
    assert.is.not(other.message, before.message);
    assert.equal(
      other.message.resources.map(({ name }) => name),
      resources.map(({ name }) => name),
    );
    assert.equal(other.message.removedResources, removed);
    assert.is(other.message.nonce, String(other.sentResponse.nonce));
    of(0, [a, b]);
  }
});

test('sent resources are recorded by name and version, and removals with an empty version', () => {
  const a = endpoints('a');
  const { sentResponse } = new DeltaResponses().of('clusterLoadAssignment', batch([a], 'b'), 0);
  assert.equal(
    [...sentResponse.versions],
    [
      ['a', a.version],
      ['b', ''],
    ],
  );
});

test('types do not mix, and one does not evict another', () => {
  const responses = new DeltaResponses();
  const empty = responses.of('cluster', batch([]), 0);
  const listeners = responses.of('listener', batch([]), 0);
  assert.is(listeners.message.typeUrl, XDS_TYPES.listener.typeUrl);
  assert.is(responses.of('cluster', batch([]), 0), empty);
});

test('streams with different views share the message of a common change, and each gets its own resources', () => {
  const responses = new DeltaResponses();
  const changed = endpoints('a', 2);
  const talks = ['x', 'y'].map((own) => {
    const view = new WrittenView();
    view.put(cluster('a'), endpoints('a'), endpoints(own));
    const stream = new DeltaStream({ view, responses });
    const resourceNamesSubscribe = ['a', own];
    const { typeUrl } = XDS_TYPES.clusterLoadAssignment;
    stream.receive(create(discovery.DeltaDiscoveryRequestSchema, { typeUrl, resourceNamesSubscribe }));
    return { own, view, stream, first: stream.next() };
  });
  for (const { own, first } of talks) {
    assert.equal(
      first?.resources.map(({ name }) => name),
      ['a', own],
    );
  }
  const [one, other] = talks.map(({ view, stream }) => {
    stream.changed(view.put(changed));
    return stream.next();
  });
  assert.equal(
    one?.resources.map(({ version }) => version),
    [changed.version],
  );
  assert.is(other, one);
});

test.run();
