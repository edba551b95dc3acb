// Durations must be parsed as in Go.
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { formatDuration, parseGoDuration } from '../../src/mod.ts';

test('durations that Go accepts', () => {
  const taken: Readonly<Record<string, number>> = {
    '0': 0,
    '+0': 0,
    '0s': 0,
    '1s': 1000,
    '+5s': 5000,
    '-1.5h': -5_400_000,
    '1h30m': 5_400_000,
    '100ms': 100,
    '.5s': 500,
    '1.s': 1000,
    '1us': 0.001,
    '1µs': 0.001,
    '1μs': 0.001,
    '1500000ns': 1.5,
    '3s1m2s': 65_000,
  };
  for (const [text, milliseconds] of Object.entries(taken)) assert.is(parseGoDuration(text), milliseconds, text);
});

test('durations that Go rejects', () => {
  for (const text of [
    '',
    '-',
    '1',
    '1 s',
    's',
    '.s',
    '1d',
    '1S',
    '1s ',
    ' 1s',
    '1e3s',
    '0x1s',
    '--1s',
    '1s-1s',
    '300000000h',
    '∞s',
  ]) {
    assert.is(parseGoDuration(text), undefined, text);
  }
});

test('durations are formatted in the shortest form', () => {
  const written: readonly (readonly [number, string])[] = [
    [0, '0s'],
    [0.000001, '1ns'],
    [0.0015, '1.5us'],
    [5, '5ms'],
    [1.5, '1.5ms'],
    [1500, '1.5s'],
    [60_000, '1m'],
    [90_000, '1m30s'],
    [3_600_000, '1h'],
    [5_400_500, '1h30m0.5s'],
    [-1000, '-1s'],
  ];
  for (const [milliseconds, text] of written) assert.is(formatDuration(milliseconds), text);
  assert.throws(() => formatDuration(Number.NaN), RangeError);
});

test('formatted durations parse to the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (microseconds) => {
      const milliseconds = microseconds / 1000;
      const read = parseGoDuration(formatDuration(milliseconds)) ?? Number.NaN;
      assert.ok(Math.abs(read - milliseconds) < 1e-6, `${milliseconds} became ${read}`);
    }),
    { numRuns: scaledRuns(2000) },
  );
});

test.run();
