/** Responses of a state-of-the-world stream to each request. */
import { assert, test } from '@meshrelay/testing';
import { create, discovery, type JsonValue, type MessageInitShape } from '../../src/mod.ts';
import { type Rejection, SotwStream, XDS_TYPES, type XdsResource, type XdsType, xdsTypeOf } from '../../src/xds/mod.ts';
import { cluster, endpoints, hash, listener, resource, routes, WrittenView } from '../support/fixture.ts';

type Init = Omit<MessageInitShape<typeof discovery.DiscoveryRequestSchema>, 'typeUrl' | '$typeName'>;

class Conversation {
  readonly view: WrittenView;
  readonly accepted: JsonValue[] = [];
  readonly rejected: Rejection[] = [];
  readonly stream: SotwStream;
  /** The last response of each type. */
  readonly last = new Map<XdsType, discovery.DiscoveryResponse>();
  readonly #names = new Map<string, string>();

  constructor(view = new WrittenView()) {
    this.view = view;
    this.stream = new SotwStream({
      view,
      hash,
      onAccepted: (type, versions) => this.accepted.push([type, [...versions.keys()]]),
      onRejected: (rejection) => this.rejected.push(rejection),
    });
  }

  ask(type: XdsType, init: Init = {}): string[] {
    const typeUrl = XDS_TYPES[type].typeUrl;
    this.stream.receive(create(discovery.DiscoveryRequestSchema, { ...init, typeUrl } as Init));
    return this.said();
  }

  /** Answers the last response of a type. */
  answer(type: XdsType, resourceNames: string[] = [], rejection?: string): string[] {
    const responseNonce = this.last.get(type)?.nonce ?? '';
    const errorDetail = rejection === undefined ? {} : { errorDetail: { code: 13, message: rejection } };
    return this.ask(type, { responseNonce, resourceNames, ...errorDetail });
  }

  put(...resources: readonly XdsResource[]): string[] {
    for (const each of resources) this.#names.set(hash(each.any.value), each.name);
    this.stream.changed(this.view.put(...resources));
    return this.said();
  }

  said(): string[] {
    const all: string[] = [];
    for (let next = this.stream.next(); next !== undefined; next = this.stream.next()) {
      const type = xdsTypeOf(next.typeUrl) as XdsType;
      this.last.set(type, next);
      all.push([type, ...next.resources.map(({ value }) => this.#names.get(hash(value)) ?? '?')].join(' '));
    }
    return all;
  }
}

function booted(): Conversation {
  const talk = new Conversation();
  talk.put(cluster('a'), cluster('b'), endpoints('a'), endpoints('b'), listener('l'), routes('l', 'a'));
  assert.equal(talk.ask('cluster'), ['cluster a b']);
  assert.equal(talk.ask('clusterLoadAssignment', { resourceNames: ['a', 'b'] }), ['clusterLoadAssignment a b']);
  assert.equal(talk.answer('cluster'), []);
  assert.equal(talk.answer('clusterLoadAssignment', ['a', 'b']), []);
  assert.equal(talk.ask('listener'), ['listener l']);
  assert.equal(talk.ask('routeConfiguration', { resourceNames: ['l'] }), ['routeConfiguration l']);
  assert.equal(talk.answer('listener'), []);
  assert.equal(talk.answer('routeConfiguration', ['l']), []);
  assert.is(talk.accepted.length, 4);
  return talk;
}

test('one changed endpoint sends one resource', () => {
  assert.equal(booted().put(endpoints('a', 2)), ['clusterLoadAssignment a']);
});

test('a changed cluster comes with all others, and is followed only by its own endpoints', () => {
  assert.equal(booted().put(cluster('b', 'other')), ['cluster a b', 'clusterLoadAssignment b']);
});

test('the request that Envoy repeats after a changed cluster is stale by then; without updates it is answered', () => {
  const talk = booted();
  const before = talk.last.get('clusterLoadAssignment')?.nonce ?? '';
  const again = { responseNonce: before, resourceNames: ['a', 'b'] };
  talk.put(cluster('b', 'other'));
  assert.equal(talk.ask('clusterLoadAssignment', again), []);
  assert.equal(talk.answer('clusterLoadAssignment', ['a', 'b']), []);
  assert.equal(talk.answer('clusterLoadAssignment', ['a', 'b']), ['clusterLoadAssignment a b']);
});

test('removed resources stay until nothing uses them', () => {
  const talk = booted();
  talk.stream.changed(talk.view.remove('cluster', 'a'));
  assert.equal(talk.put(routes('l', 'c'), endpoints('c'), cluster('c')), [
    'cluster a b c',
    'clusterLoadAssignment c',
    'routeConfiguration l',
    'cluster b c',
  ]);
});

test('grown subscriptions get their new resources', () => {
  const talk = booted();
  talk.put(resource('secret', 'x', { name: 'x' }), resource('secret', 'y', { name: 'y' }));
  assert.equal(talk.ask('secret', { resourceNames: ['x'] }), ['secret x']);
  assert.equal(talk.ask('secret', { resourceNames: ['x', 'y'] }), [], 'it answers nothing yet');
  assert.equal(talk.answer('secret', ['x', 'y']), ['secret y']);
});

test('a rejected cluster is replaced by the one accepted before, and the rest continues', () => {
  const talk = booted();
  talk.put(cluster('a', 'bad'), cluster('b', 'good'));
  assert.equal(talk.answer('cluster', [], 'Error adding/updating cluster(s) a: no'), []);
  assert.equal(talk.put(cluster('c')), ['cluster a b c']);
  const sent = talk.last.get('cluster')?.resources.map(({ value }) => hash(value)) ?? [];
  assert.ok(sent.includes(cluster('a').version), 'the accepted one is in it');
  assert.not.ok(sent.includes(cluster('a', 'bad').version), 'the refused one is not');
  assert.equal(talk.answer('cluster'), []);
  assert.is(talk.stream.rejections().length, 1);
  assert.equal(talk.put(cluster('a', 'fixed')), ['cluster a b c']);
  assert.equal(talk.stream.rejections(), []);
});

test('a rejection without names is narrowed down, with all accepted versions kept meanwhile', () => {
  const talk = booted();
  talk.put(cluster('c', 'bad'), cluster('d'), cluster('e'));
  const clusters = (): string[] => talk.last.get('cluster')?.resources.map(({ value }) => hash(value)) ?? [];
  const bad = cluster('c', 'bad').version;
  for (let round = 0; round < 10; round += 1) {
    assert.ok(clusters().includes(cluster('a').version) && clusters().includes(cluster('b').version));
    const said = talk.answer(
      'cluster',
      [],
      clusters().includes(bad) ? 'Proto constraint validation failed' : undefined,
    );
    if (said.length === 0) break;
  }
  assert.equal(
    talk.stream.rejections().map(({ versions }) => [...versions]),
    [[['c', bad]]],
  );
  assert.ok(clusters().includes(cluster('d').version) && clusters().includes(cluster('e').version));
});

test('another stream, on another replica, sends the same version for the same content', () => {
  const [one, other] = [new Conversation(), new Conversation()];
  one.put(cluster('a'), cluster('b'));
  other.put(cluster('b'), cluster('a'));
  one.ask('cluster');
  other.ask('cluster');
  assert.ok(one.last.get('cluster')?.versionInfo);
  assert.is(one.last.get('cluster')?.versionInfo, other.last.get('cluster')?.versionInfo);
});

test.run();
