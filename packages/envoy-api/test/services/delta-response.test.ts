/** Encoded responses decode to their content, however often they are sent. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { DeltaDiscoveryResponseSchema, ResourceSchema } from '../../src/gen/envoy/service/discovery/v3/discovery_pb.ts';
import { deltaResponseBytes } from '../../src/services/delta-response.ts';
import { aggregatedDiscoveryService } from '../../src/services/services.ts';

const resources = fc
  .array(fc.record({ name: fc.string(), version: fc.string(), value: fc.uint8Array({ maxLength: 300 }) }), {
    maxLength: 5,
  })
  .map((all) =>
    all.map(({ name, version, value }) =>
      create(ResourceSchema, {
        name,
        version,
        resource: create(AnySchema, { typeUrl: 'type.googleapis.com/x', value }),
      }),
    ),
  );

test('a response decodes to its content, also with shared resources', () => {
  const others = fc.record({ nonce: fc.string(), removedResources: fc.array(fc.string(), { maxLength: 3 }) });
  fc.assert(
    fc.property(resources, fc.array(others, { minLength: 1, maxLength: 3 }), (shared, responses) => {
      for (const { nonce, removedResources } of responses) {
        const response = create(DeltaDiscoveryResponseSchema, {
          typeUrl: 'type.x',
          nonce,
          removedResources,
          resources: shared,
        });
        const read = fromBinary(DeltaDiscoveryResponseSchema, deltaResponseBytes(response));
        assert.equal(toBinary(DeltaDiscoveryResponseSchema, read), toBinary(DeltaDiscoveryResponseSchema, response));
      }
    }),
    { numRuns: scaledRuns(100) },
  );
});

test('a repeated response has the same bytes', () => {
  const response = create(DeltaDiscoveryResponseSchema, { typeUrl: 'type.x', nonce: '1', removedResources: ['a'] });
  assert.is(deltaResponseBytes(response), deltaResponseBytes(response));
});

test('the service uses this encoder', () => {
  assert.is(aggregatedDiscoveryService.deltaAggregatedResources.responseSerialize, deltaResponseBytes);
});

test.run();
