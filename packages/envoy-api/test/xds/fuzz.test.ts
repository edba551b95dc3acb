/** A stream answers or ignores any request, or ends; it never fails otherwise, and stays within its limits. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { create, discovery } from '../../src/mod.ts';
import { DeltaStream, SotwStream, XDS_ORDER, XDS_TYPES, XdsStreamError } from '../../src/xds/mod.ts';
import { cluster, endpoints, hash, listener, routes, WrittenView } from '../support/fixture.ts';

const name = fc.oneof(fc.constantFrom('a', 'l', '*', '', '__proto__', 'constructor'), fc.string({ maxLength: 20 }));
const typeUrl = fc.oneof(fc.constantFrom(...XDS_ORDER.map((type) => XDS_TYPES[type].typeUrl)), fc.string());
const responseNonce = fc.oneof(fc.constantFrom('', '1', '2', '3'), fc.string({ maxLength: 4 }));
const errorDetail = fc.option(fc.record({ code: fc.constant(13), message: fc.string() }), { nil: undefined });
const deltas = fc.array(
  fc.record({
    typeUrl,
    responseNonce,
    errorDetail,
    resourceNamesSubscribe: fc.array(name, { maxLength: 8 }),
    resourceNamesUnsubscribe: fc.array(name, { maxLength: 8 }),
    initialResourceVersions: fc.dictionary(name, fc.string()),
  }),
);
const states = fc.array(
  fc.record({
    typeUrl,
    responseNonce,
    errorDetail,
    versionInfo: fc.string(),
    resourceNames: fc.array(name, { maxLength: 8 }),
  }),
);

function view(): WrittenView {
  const written = new WrittenView();
  written.put(cluster('a'), endpoints('a'), listener('l'), routes('l', 'a'));
  return written;
}

/** @returns the number of responses */
function feed<Request>(
  stream: { receive(request: Request): void; next(): unknown },
  requests: readonly Request[],
): number {
  let said = 0;
  try {
    for (const request of requests) {
      stream.receive(request);
      for (let many = 0; stream.next() !== undefined; many += 1) {
        said += 1;
        assert.ok(many < 1000, 'it never stops talking');
      }
    }
  } catch (error) {
    if (!(error instanceof XdsStreamError)) throw error;
  }
  return said;
}

test('delta: any requests', () => {
  let said = 0;
  fc.assert(
    fc.property(deltas, (all) => {
      const requests = all.map((init) => create(discovery.DeltaDiscoveryRequestSchema, init as never));
      said += feed(new DeltaStream({ view: view(), limits: { names: 20 } }), requests);
    }),
    { numRuns: 300 },
  );
  assert.ok(said > 100, `${said}`);
});

test('state of the world: any requests', () => {
  let said = 0;
  fc.assert(
    fc.property(states, (all) => {
      const requests = all.map((init) => create(discovery.DiscoveryRequestSchema, init as never));
      said += feed(new SotwStream({ view: view(), hash, limits: { names: 20 } }), requests);
    }),
    { numRuns: 300 },
  );
  assert.ok(said > 100, `${said}`);
});

test.run();
