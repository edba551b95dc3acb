// Defaults of omitted fields match their descriptions.
import { assert, test } from '@meshrelay/testing';
import { defaultLocalizedOutlierDetection, KIND_FIELDS } from '../src/mod.ts';
import { formatFieldPath } from '../src/text/field-path.ts';
import { places, schemaOf } from './support/fields.ts';

/** Kind, path and value of each default. */
const DEFAULTS: ReadonlyArray<readonly [kind: string, path: readonly string[], value: unknown]> = [
  ...KIND_FIELDS.flatMap(({ kind, path, fields }) =>
    Object.entries(fields).flatMap(([name, field]) => [
      ...(field.default === undefined ? [] : [[kind, [...path, name], field.default] as const]),
      ...Object.entries(field.defaults ?? {}).map(([member, value]) => [kind, [...path, name, member], value] as const),
    ]),
  ),
  ...Object.entries(defaultLocalizedOutlierDetection).map(
    ([member, value]) => ['VirtualDestination', ['spec', 'localized', 'outlierDetection', member], value] as const,
  ),
];

for (const [kind, path, value] of DEFAULTS) {
  const text = path.join('.');
  test(`the description of ${kind} ${text} says what it means if it is omitted`, () => {
    const { schema } =
      places(schemaOf(kind)).find((place) => formatFieldPath(place.path.filter((step) => step !== 0)) === text) ?? {};
    assert.match(schema?.description ?? `${text} was not found`, `Default: ${value}.`);
  });
}

test.run();
