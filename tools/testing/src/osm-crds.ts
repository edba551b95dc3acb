/** Judges objects by the CRDs that OSM itself installs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type CrdValidator, crdValidatorOf, type JudgingCrd } from './crd-validator.ts';
import { sharedPath } from './shared.ts';

/** Undefined where this machine has no copy of them. */
export function osmCrds(): CrdValidator | undefined {
  const folder = sharedPath('oracles', 'smi');
  if (folder === undefined) return undefined;
  const files = readdirSync(folder).filter((file) => file.startsWith('osm-'));
  return crdValidatorOf(files.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as JudgingCrd));
}
