/** Golden cases: an input, and what it came to, as files that a review can read. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert } from '@meshrelay/testing';
import { parse, stringify } from 'yaml';
import type { FleetSpec } from './fleet-spec.ts';

const ROOT = new URL('../golden/', import.meta.url).pathname;
const UPDATE = process.env['MESHRELAY_GOLDEN'] === 'update';

/** Names of the cases there are. */
export function goldenCases(): string[] {
  return readdirSync(ROOT).sort();
}

export function goldenInput(name: string): FleetSpec {
  return parse(readFileSync(join(ROOT, name, 'input.yaml'), 'utf8')) as FleetSpec;
}

/** Compares with the file, or writes it when asked to. */
export function compareGolden(
  name: string,
  file: 'output.yaml' | 'report.yaml' | 'discovered.yaml',
  value: unknown,
): void {
  const path = join(ROOT, name, file);
  const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  if (UPDATE) writeFileSync(path, text);
  assert.fixture(
    text,
    readFileSync(path, 'utf8'),
    `${name}/${file} differs; if it should, update it with MESHRELAY_GOLDEN=update`,
  );
}
