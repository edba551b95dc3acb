// Defaults of omitted fields match their descriptions.
import { assert, test } from '@meshrelay/testing';
import { defaultLocalizedOutlierDetection, TRAFFIC_FIELDS } from '../src/mod.ts';
import { formatFieldPath } from '../src/text/field-path.ts';
import { places, schemaOf } from './support/fields.ts';

const traffic = Object.entries(TRAFFIC_FIELDS).flatMap(([field, { defaults }]) =>
  defaults === undefined ? [] : [['TrafficPolicy', ['policy', field], defaults] as const],
);

for (const [kind, owner, defaults] of [
  ...traffic,
  ['VirtualDestination', ['localized', 'outlierDetection'], defaultLocalizedOutlierDetection] as const,
])
  test(`the descriptions of ${kind} say what omitted fields of ${owner.join('.')} mean`, () => {
    for (const [field, value] of Object.entries(defaults)) {
      const path = ['spec', ...owner, field].join('.');
      const { schema } = places(schemaOf(kind)).find((place) => formatFieldPath(place.path) === path) ?? {};
      assert.match(schema?.description ?? `${path} was not found`, `Default: ${value}.`);
    }
  });

test.run();
