/** Credentials for any origin, in any spelling, are reported; credentials for listed origins are not. */
import type { StringMatch, TrafficPolicy } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { corsNotes } from '../../src/status/cors-notes.ts';

function codes(allowCredentials: boolean | undefined, ...allowOrigins: readonly StringMatch[]): string[] {
  const corsPolicy = { allowOrigins, ...(allowCredentials === undefined ? {} : { allowCredentials }) };
  return corsNotes({ spec: { policy: { corsPolicy } } } as TrafficPolicy).map(({ code }) => code);
}

const ANY: readonly StringMatch[] = [
  { exact: '*' },
  { prefix: 'http' },
  { prefix: 'https://' },
  { regex: '.*' },
  { regex: '.+' },
  { regex: '^.*$' },
  { regex: '(.*)' },
  { regex: 'https?://.*' },
];

const SOME: readonly StringMatch[] = [
  { exact: 'https://shop.example' },
  { prefix: 'https://shop.' },
  { suffix: '.shop.example' },
  { regex: 'https://.*\\.shop\\.example' },
];

test('any origin with credentials is reported', () => {
  for (const origin of ANY)
    assert.equal(
      codes(true, SOME[0] as StringMatch, origin),
      ['CORS_CREDENTIALS_WITH_ANY_ORIGIN'],
      JSON.stringify(origin),
    );
});

test('any origin without credentials is not, nor are credentials for some origins', () => {
  for (const origin of ANY) assert.equal([...codes(undefined, origin), ...codes(false, origin)], []);
  for (const origin of SOME) assert.equal(codes(true, origin), [], JSON.stringify(origin));
  assert.equal(codes(true), []);
});

test.run();
