// The worked examples are valid objects without a report.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { parseAllDocuments } from 'yaml';
import { decodeObject } from '../../src/mod.ts';

const examples = sharedPath('examples');

test('every worked example decodes without a report', () => {
  if (examples === undefined) return;
  const documents = readdirSync(examples).flatMap((name) =>
    parseAllDocuments(readFileSync(join(examples, name, 'config.yaml'), 'utf8')).map(
      (document) => document.toJS() as unknown,
    ),
  );
  assert.ok(documents.length >= 12);
  for (const raw of documents) assert.equal(decodeObject(raw), { object: raw, reports: [] });
});

test.run();
