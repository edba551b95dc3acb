/**
 * The property of both protocols: for any changes, any rate of messages and any broken streams, Envoy reaches the
 * desired state.
 */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { discovery } from '../../src/mod.ts';
import {
  DeltaStream,
  SotwStream,
  type XdsKey,
  type XdsResource,
  type XdsStream,
  type XdsType,
} from '../../src/xds/mod.ts';
import { cluster, endpoints, hash, listener, routes, WrittenView } from '../support/fixture.ts';
import { DeltaConnection, type ModelConnection, ModelEnvoy, SotwConnection } from '../support/model-envoy.ts';

const NAMES = ['a', 'b', 'c'];
const MARKS = ['', 'x', 'y', 'bad'];
const BAD = Buffer.from('bad').toString('hex');

type Step =
  | { readonly kind: 'cluster'; readonly name: string; readonly mark: string }
  | { readonly kind: 'endpoints'; readonly name: string; readonly port: number }
  | { readonly kind: 'routes'; readonly to: readonly string[] }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'carry'; readonly messages: number }
  | { readonly kind: 'hear'; readonly messages: number }
  | { readonly kind: 'settle' }
  | { readonly kind: 'reconnect' };

const steps = (marks: readonly string[], breaks = true): fc.Arbitrary<Step[]> => {
  const name = fc.constantFrom(...NAMES);
  return fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('cluster' as const), name, mark: fc.constantFrom(...marks) }),
      fc.record({ kind: fc.constant('endpoints' as const), name, port: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ kind: fc.constant('routes' as const), to: fc.uniqueArray(name, { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('remove' as const), name }),
      fc.record({ kind: fc.constant('carry' as const), messages: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant('hear' as const), messages: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constant('settle' as const) }),
      breaks
        ? fc.record({ kind: fc.constant('reconnect' as const) })
        : fc.record({ kind: fc.constant('settle' as const) }),
    ),
    { maxLength: 60, size: 'max' },
  );
};

/** A consistent configuration: routes reference only existing clusters, and all clusters have endpoints. */
class Requested {
  readonly view = new WrittenView();
  readonly #clusters = new Set<string>();
  #to: readonly string[] = [];

  constructor() {
    this.view.put(listener('l'), routes('l'), cluster('z'), endpoints('z'));
  }

  apply(step: Step): XdsKey[] {
    switch (step.kind) {
      case 'cluster': {
        const bring = this.#clusters.has(step.name) ? [] : [endpoints(step.name)];
        this.#clusters.add(step.name);
        return this.view.put(cluster(step.name, step.mark), ...bring);
      }
      case 'endpoints':
        return this.#clusters.has(step.name) ? this.view.put(endpoints(step.name, step.port)) : [];
      case 'routes':
        this.#to = step.to.filter((name) => this.#clusters.has(name));
        return this.view.put(routes('l', ...this.#to));
      case 'remove': {
        this.#clusters.delete(step.name);
        this.#to = this.#to.filter((name) => name !== step.name);
        const gone = [
          ...this.view.remove('cluster', step.name),
          ...this.view.remove('clusterLoadAssignment', step.name),
        ];
        return [...this.view.put(routes('l', ...this.#to)), ...gone];
      }
      default:
        return [];
    }
  }
}

interface Protocol<Request, Response> {
  stream(view: WrittenView): XdsStream<Request, Response>;
  connect(envoy: ModelEnvoy): ModelConnection<Request, Response>;
}

/** Names of resources by their content, since a state-of-the-world response does not contain them. */
const nameOf = new Map<string, string>();
for (const name of NAMES) {
  for (const mark of MARKS) note(cluster(name, mark));
  for (let port = 1; port < 10; port += 1) note(endpoints(name, port));
}
note(listener('l'));
note(cluster('z'));
note(endpoints('z'));

function note(resource: XdsResource): void {
  nameOf.set(`${resource.type} ${Buffer.from(resource.any.value).toString('hex')}`, resource.name);
}

const named = (type: XdsType, value: Uint8Array): string =>
  nameOf.get(`${type} ${Buffer.from(value).toString('hex')}`) ?? 'l';

const delta: Protocol<discovery.DeltaDiscoveryRequest, discovery.DeltaDiscoveryResponse> = {
  stream: (view) => new DeltaStream({ view }),
  connect: (envoy) => new DeltaConnection(envoy),
};
const sotw: Protocol<discovery.DiscoveryRequest, discovery.DiscoveryResponse> = {
  stream: (view) => new SotwStream({ view, hash }),
  connect: (envoy) => new SotwConnection(envoy, named),
};

function play<Request, Response>(
  protocol: Protocol<Request, Response>,
  all: readonly Step[],
  total: boolean,
): { envoy: ModelEnvoy; requested: Requested } {
  const requested = new Requested();
  const envoy = new ModelEnvoy({ refuses: (hex) => hex.includes(BAD), total });
  let stream = protocol.stream(requested.view);
  let connection = protocol.connect(envoy);
  const wire: Response[] = [];
  const carry = (count: number): number => {
    const requests = connection.out.splice(0, count);
    for (const request of requests) stream.receive(request);
    let sent = 0;
    for (; sent < count; sent += 1) {
      const response = stream.next();
      if (response === undefined) break;
      wire.push(response);
    }
    return requests.length + sent;
  };
  const hear = (count: number): number => {
    const responses = wire.splice(0, count);
    for (const response of responses) connection.hear(response);
    return responses.length;
  };
  const settle = (): void => {
    let rounds = 0;
    for (; rounds < 1000 && carry(100) + hear(100) > 0; rounds += 1);
    assert.ok(rounds < 1000, 'the conversation never ends');
  };
  for (const step of all) {
    if (step.kind === 'carry') carry(step.messages);
    else if (step.kind === 'hear') hear(step.messages);
    else if (step.kind === 'settle') settle();
    else if (step.kind === 'reconnect') {
      wire.length = 0;
      stream = protocol.stream(requested.view);
      connection = protocol.connect(envoy);
    } else stream.changed(requested.apply(step));
  }
  settle();
  return { envoy, requested };
}

function converges(envoy: ModelEnvoy, { view }: Requested): void {
  assert.equal([...envoy.warming], [], 'nothing warms for ever');
  const clusters = [...view.listed('cluster')].sort();
  const hexOf = (type: XdsType, name: string): string =>
    Buffer.from(view.get(type, name)?.any.value ?? []).toString('hex');
  const served = clusters.filter((name) => envoy.has.cluster.has(name) || !hexOf('cluster', name).includes(BAD));
  assert.equal([...envoy.has.cluster.keys()].sort(), served, 'clusters');
  for (const name of served) {
    const good = !hexOf('cluster', name).includes(BAD);
    if (good) assert.is(envoy.has.cluster.get(name), hexOf('cluster', name), `cluster ${name}`);
    else assert.not.ok(envoy.has.cluster.get(name)?.includes(BAD), 'what was refused does not serve');
    assert.is(envoy.has.clusterLoadAssignment.get(name), hexOf('clusterLoadAssignment', name), `endpoints of ${name}`);
  }
  assert.is(envoy.has.listener.get('l'), hexOf('listener', 'l'), 'listener');
  assert.is(envoy.has.routeConfiguration.get('l'), hexOf('routeConfiguration', 'l'), 'routes');
}

for (const [name, protocol] of [
  ['delta', delta],
  ['state of the world', sotw],
] as const) {
  for (const total of [false, true]) {
    test(`${name}: converges though some is rejected ${total ? 'with its whole response' : 'by name'}`, () => {
      fc.assert(
        fc.property(steps(MARKS), (all) => {
          const { envoy, requested } = play(protocol as Protocol<unknown, unknown>, all, total);
          converges(envoy, requested);
        }),
        { numRuns: scaledRuns(150) },
      );
    });
  }

  test(`${name}: routes never reference an inactive cluster`, () => {
    fc.assert(
      // A new state-of-the-world stream cannot know that Envoy has a cluster that was removed while it was
      // disconnected.
      fc.property(steps(['', 'x', 'y'], protocol === delta), (all) => {
        const { envoy, requested } = play(protocol as Protocol<unknown, unknown>, all, false);
        converges(envoy, requested);
        assert.equal(envoy.dips, []);
      }),
      { numRuns: scaledRuns(150) },
    );
  });
}

test.run();
