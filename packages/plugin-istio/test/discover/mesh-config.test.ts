/** Users' mesh configuration: reports errors and writes nothing to the process output. */
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';
import { readMeshConfig } from '../../src/discover/mesh-config.ts';

test('a text that is not YAML is an error, and writes nothing to the output of the process', () => {
  const emitted: unknown[] = [];
  const { emitWarning } = process;
  process.emitWarning = (warning: unknown) => void emitted.push(warning);
  try {
    for (const text of ['%s', 'a: b: c', '['.repeat(20_000)]) assert.throws(() => readMeshConfig(text));
    readMeshConfig('%UNKNOWN\n---\ntrustDomain: td.one');
    readMeshConfig('? {a: b}\n: c');
  } finally {
    process.emitWarning = emitWarning;
  }
  assert.equal(emitted, []);
});

test('DNS capture is on for each value that Istio reads as true, as a string and as a YAML value', () => {
  const captures = (value: string): boolean =>
    readMeshConfig(`defaultConfig: {proxyMetadata: {ISTIO_META_DNS_CAPTURE: ${value}}}`).capturesDns;
  for (const on of ['true', '"true"', '"True"', '"TRUE"', '"t"', '"T"', '"1"', '1', 't']) assert.ok(captures(on), on);
  for (const off of ['false', '"false"', '"0"', '0', '"yes"', '"tRUE"', '""', '{toString: 1}'])
    assert.not(captures(off), off);
});

test.run();
