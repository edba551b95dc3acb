/** Responses of a delta stream to each request. */
import { assert, test } from '@meshrelay/testing';
import { create, discovery, type JsonValue, type MessageInitShape } from '../../src/mod.ts';
import { DeltaStream, type Rejection, XDS_TYPES, XdsStreamError, type XdsType, xdsTypeOf } from '../../src/xds/mod.ts';
import { cluster, endpoints, listener, resource, routes, WrittenView } from '../support/fixture.ts';

type Init = Omit<MessageInitShape<typeof discovery.DeltaDiscoveryRequestSchema>, 'typeUrl' | '$typeName'>;

class Conversation {
  readonly view = new WrittenView();
  readonly accepted: JsonValue[] = [];
  readonly rejected: Rejection[] = [];
  readonly known: Array<readonly [XdsType, Record<string, string>]> = [];
  readonly stream: DeltaStream;
  last: discovery.DeltaDiscoveryResponse | undefined;

  constructor(limits = {}) {
    this.stream = new DeltaStream({
      view: this.view,
      onAccepted: (type, versions) => this.accepted.push([type, [...versions.keys()]]),
      onRejected: (rejection) => this.rejected.push(rejection),
      onKnown: (type, versions) => this.known.push([type, Object.fromEntries(versions)]),
      limits,
    });
  }

  ask(type: XdsType, init: Init = {}): string[] {
    this.stream.receive(
      create(discovery.DeltaDiscoveryRequestSchema, { ...init, typeUrl: XDS_TYPES[type].typeUrl } as Init),
    );
    return this.said();
  }

  nack(type: XdsType, message: string, nonce = this.last?.nonce ?? ''): string[] {
    return this.ask(type, { responseNonce: nonce, errorDetail: { code: 13, message } });
  }

  ack(type: XdsType): string[] {
    return this.ask(type, { responseNonce: this.last?.nonce ?? '' });
  }

  /** All pending responses, each as `type +sent -removed`. */
  said(): string[] {
    const all: string[] = [];
    for (let next = this.stream.next(); next !== undefined; next = this.stream.next()) {
      this.last = next;
      const words = [
        ...next.resources.map(({ name }) => `+${name}`),
        ...next.removedResources.map((name) => `-${name}`),
      ];
      all.push([xdsTypeOf(next.typeUrl), ...words].join(' '));
    }
    return all;
  }
}

function booted(limits = {}): Conversation {
  const talk = new Conversation(limits);
  talk.view.put(cluster('a'), cluster('b'), endpoints('a'), endpoints('b'), listener('l'), routes('l', 'a'));
  assert.equal(talk.ask('cluster'), ['cluster +a +b', 'clusterLoadAssignment +a +b']);
  assert.equal(talk.ask('clusterLoadAssignment', { resourceNamesSubscribe: ['a', 'b'] }), [
    'clusterLoadAssignment +a +b',
  ]);
  assert.equal(talk.ask('listener'), ['listener +l']);
  assert.equal(talk.ask('routeConfiguration', { resourceNamesSubscribe: ['l'] }), ['routeConfiguration +l']);
  return talk;
}

test('answers the first request for all, even if there is nothing', () => {
  const talk = new Conversation();
  assert.equal(talk.ask('cluster'), ['cluster']);
  assert.equal(talk.ask('cluster', { responseNonce: '1' }), []);
});

test('one changed endpoint sends one resource', () => {
  const talk = booted();
  talk.stream.changed(talk.view.put(endpoints('a', 2)));
  assert.equal(talk.said(), ['clusterLoadAssignment +a']);
});

test('a change that was reverted before sending is not sent', () => {
  const talk = booted();
  talk.stream.changed(talk.view.put(endpoints('a', 2)));
  talk.stream.changed(talk.view.put(endpoints('a', 1)));
  assert.equal(talk.said(), []);
});

test('a changed cluster is followed by its endpoints, changed or not', () => {
  const talk = booted();
  talk.stream.changed(talk.view.put(cluster('a', 'other')));
  assert.equal(talk.said(), ['cluster +a', 'clusterLoadAssignment +a']);
});

test('a new cluster brings its endpoints before routes to it; removals come last', () => {
  const talk = booted();
  const keys = [...talk.view.put(routes('l', 'c'), endpoints('c'), cluster('c')), ...talk.view.remove('cluster', 'a')];
  talk.stream.changed([...keys, ...talk.view.remove('listener', 'none')]);
  assert.equal(talk.said(), ['cluster +c', 'clusterLoadAssignment +c', 'routeConfiguration +l', 'cluster -a']);
});

test('missing names are answered at once, and sent when they exist', () => {
  const talk = booted();
  assert.equal(talk.ask('secret', { resourceNamesSubscribe: ['id'] }), ['secret -id']);
  talk.stream.changed(talk.view.put(resource('secret', 'id', { name: 'id' })));
  assert.equal(talk.said(), ['secret +id']);
});

test('a repeated request is sent again; after unsubscribing nothing comes', () => {
  const talk = booted();
  assert.equal(talk.ask('clusterLoadAssignment', { resourceNamesSubscribe: ['a'] }), ['clusterLoadAssignment +a']);
  assert.equal(talk.ask('clusterLoadAssignment', { resourceNamesUnsubscribe: ['a'] }), []);
  talk.stream.changed(talk.view.put(endpoints('a', 3)));
  assert.equal(talk.said(), []);
});

test('a new stream sends only differences from Envoy’s versions', () => {
  const talk = new Conversation();
  const [a, b] = [cluster('a'), cluster('b')];
  talk.view.put(a, b);
  const initialResourceVersions = { a: a.version, b: 'older', gone: 'x' };
  assert.equal(talk.ask('cluster', { initialResourceVersions }), ['cluster +b', 'cluster -gone']);
  assert.equal(talk.known, [['cluster', initialResourceVersions]], 'the host gets the versions of the client');
  talk.ack('cluster');
  assert.is(talk.known.length, 1, 'once');
});

test('a rejection that names resources quarantines those, and sends the others again', () => {
  const talk = booted();
  talk.stream.changed(talk.view.put(cluster('a', 'bad'), cluster('b', 'good')));
  const first = talk.stream.next();
  assert.is(first?.resources.length, 2);
  talk.said();
  assert.equal(talk.nack('cluster', 'Error adding/updating cluster(s) a: malformed IP address: x', first?.nonce), [
    'cluster +b',
    'clusterLoadAssignment +b',
  ]);
  assert.equal(
    talk.rejected.map(({ versions }) => [...versions.keys()]),
    [['a']],
  );
  assert.is(talk.stream.rejections().length, 1);
  talk.stream.changed(talk.view.put(cluster('a', 'fixed')));
  assert.equal(talk.said(), ['cluster +a', 'clusterLoadAssignment +a']);
  assert.equal(talk.stream.rejections(), []);
});

test('a rejection without names is narrowed down until one is left', () => {
  const talk = booted();
  const names = ['c', 'd', 'e', 'f'];
  talk.stream.changed(talk.view.put(...names.map((name) => cluster(name)), ...names.map((name) => endpoints(name))));
  const sent: string[][] = [];
  for (let next = talk.stream.next(); next !== undefined; next = talk.stream.next()) {
    if (xdsTypeOf(next.typeUrl) !== 'cluster') continue;
    const all = next.resources.map(({ name }) => name);
    sent.push(all);
    const errorDetail = all.includes('e')
      ? { code: 13, message: 'Proto constraint validation failed (no.Name)' }
      : undefined;
    talk.stream.receive(
      create(discovery.DeltaDiscoveryRequestSchema, {
        typeUrl: next.typeUrl,
        responseNonce: next.nonce,
        ...(errorDetail && { errorDetail }),
      }),
    );
  }
  assert.equal(sent, [['c', 'd', 'e', 'f'], ['c', 'd'], ['e', 'f'], ['e'], ['f']]);
  assert.equal(
    talk.stream.rejections().map(({ versions }) => [...versions.keys()]),
    [['e']],
  );
});

test('a removed resource that was rejected is reported as removed, since an earlier version may be in use', () => {
  const talk = booted();
  talk.stream.changed(talk.view.put(cluster('a', 'bad')));
  const first = talk.stream.next();
  talk.said();
  talk.nack('cluster', 'Error adding/updating cluster(s) a: no', first?.nonce);
  talk.stream.changed(talk.view.remove('cluster', 'a'));
  assert.equal(talk.said(), ['cluster -a']);
  assert.equal(talk.stream.rejections(), []);
});

test('on demand: a cluster that is not listed comes when it is requested', () => {
  const talk = booted();
  talk.stream.changed(talk.view.put(cluster('lazy'), endpoints('lazy')));
  assert.equal(talk.said(), []);
  assert.equal(talk.ask('cluster', { resourceNamesSubscribe: ['lazy'] }), [
    'cluster +lazy',
    'clusterLoadAssignment +lazy',
  ]);
  assert.equal(talk.ask('cluster', { resourceNamesSubscribe: ['lazyNot'] }), ['cluster -lazyNot']);
});

test('acceptance is reported by version; an answer to an unknown nonce is ignored', () => {
  const talk = booted();
  talk.stream.changed(talk.view.put(endpoints('b', 7)));
  talk.said();
  talk.ask('clusterLoadAssignment', { responseNonce: '999' });
  talk.ask('cluster', { responseNonce: talk.last?.nonce ?? '' });
  assert.equal(talk.accepted, []);
  talk.ack('clusterLoadAssignment');
  assert.equal(talk.accepted, [['clusterLoadAssignment', ['b']]]);
});

test('secrets are sent alone, and errors about them are not shown', () => {
  const talk = booted();
  talk.view.put(resource('secret', 'x', { name: 'x' }), resource('secret', 'y', { name: 'y' }));
  assert.equal(talk.ask('secret', { resourceNamesSubscribe: ['x', 'y'] }), ['secret +x', 'secret +y']);
  talk.nack('secret', 'Failed to load private key from <inline>, Cause: error:0b000074:KEY_VALUES_MISMATCH PRIVATE');
  assert.is(talk.rejected[0]?.message, 'the secret was rejected: KEY_VALUES_MISMATCH');
});

test('a caller has its limits', () => {
  const talk = booted({ names: 3, nameLength: 8 });
  assert.throws(
    () => talk.ask('secret', { resourceNamesSubscribe: ['1', '2', '3', '4'] }),
    (error: Error) => error instanceof XdsStreamError,
  );
  assert.throws(() => talk.ask('secret', { resourceNamesSubscribe: ['x'.repeat(9)] }), /9 characters/);
});

test('types that are not served are ignored', () => {
  const talk = booted();
  talk.stream.receive(create(discovery.DeltaDiscoveryRequestSchema, { typeUrl: 'type.googleapis.com/no.Such' }));
  assert.equal(talk.said(), []);
});

test.run();
