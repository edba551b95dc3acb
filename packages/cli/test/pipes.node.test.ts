/** Pipes: meshctl reads them like files, and ends when the reader of its output closes. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { CLUSTER, policy, writeFiles } from './support/files.ts';

const DEADLINE_MS = 120_000;

/** `plan` uses it for before and for after. */
const ARGS = '--cluster cluster-1=cluster.yaml --apply slower.yaml';

for (const input of ['-', '/dev/stdin']) {
  test(`${input} is read once, and used as often as a command needs it`, () => {
    using folder = temporaryFolder();
    writeFiles(folder.path, {
      'cluster.yaml': CLUSTER,
      'policies.yaml': policy('slow', '{requestTimeout: 1s}'),
      'slower.yaml': policy('slow', '{requestTimeout: 1s, retries: {attempts: 2}}'),
    });
    const line = `cat policies.yaml | "$NODE" "$MAIN" plan ${ARGS} --config ${input} -o json; [ $? = 2 ]`;
    const env = { ...process.env, NODE: process.execPath, MAIN: builtProgram('meshctl') };
    const plan = JSON.parse(
      execFileSync('sh', ['-c', line], { cwd: folder.path, env, encoding: 'utf8', timeout: DEADLINE_MS }),
    ) as { readonly policies: ReadonlyArray<{ readonly change: string }> };
    assert.equal(
      plan.policies.map(({ change }) => change),
      ['changed'],
    );
  });
}

test('a reader that stops reading ends meshctl silently, as it ends kubectl', () => {
  using folder = temporaryFolder();
  const env = { ...process.env, NODE: process.execPath, MAIN: builtProgram('meshctl') };
  const line = '{ "$NODE" "$MAIN" plan --help 2>stderr.txt; echo $? >code.txt; } | true';
  execFileSync('sh', ['-c', line], { cwd: folder.path, env, timeout: DEADLINE_MS });
  const written = ['stderr.txt', 'code.txt'].map((file) => readFileSync(join(folder.path, file), 'utf8'));
  assert.equal(written, ['', '141\n']);
});

test.run();
