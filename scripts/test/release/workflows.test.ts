/** The workflows run what the checkout has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, '.github/workflows');

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

for (const file of readdirSync(FOLDER)) {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test(`${file}: what it runs exists`, () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const commands = steps.map(({ run = '' }) => run).join('\n');
    for (const [, name = ''] of commands.matchAll(/npm run (\S+)/g)) assert.ok(Object.hasOwn(scripts, name), name);
    for (const [, path = ''] of commands.matchAll(/^(?:node )?(\.?\w[\w./-]+\/[\w.-]+)/gm))
      assert.ok(existsSync(join(ROOT, path)), path);
    assert.match(commands, /^(npm run|\.ci\/run)/m);
  });

  test(`${file}: it may only read, except in jobs that say so, and has no stored secrets`, () => {
    assert.equal(permissions, { contents: 'read' });
    assert.not.match(text, /\bsecrets\./);
    for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@v\d+$/);
  });
}

test.run();
