/** Foreign text (names in manifests, statuses of clusters) never controls the terminal, and adds no lines. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { format } from '../../src/output/format.ts';
import { plainLines } from '../../src/output/plain.ts';
import { table } from '../../src/output/table.ts';
import { guardTerminal } from '../../src/output/terminal.ts';
import { InputError } from '../../src/problem.ts';
import { meshctlHere } from '../support/run.ts';

const NASTY = 'evil\u001b[2J\u009b31m\u202e\r\nFAKE line';
/** All of it but line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

const policy = (name: string): string =>
  JSON.stringify({
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name, namespace: 'meshrelay' },
    spec: { destinationSelectors: [{ kubeServiceRefs: { services: [{ name: 'a', namespace: 'b', cluster: 'c' }] } }] },
  });

for (const command of [
  ['translate', '-o', 'yaml'],
  ['translate', '-o', 'json'],
]) {
  test(`a name with control characters in a manifest: meshctl ${command.join(' ')}`, async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'policy.json');
    writeFileSync(file, policy(NASTY));
    const cluster = join(folder.path, 'cluster.json');
    writeFileSync(cluster, JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b' } }));
    const { stdout, stderr } = await meshctlHere(
      [...command, '--cluster', `c=${cluster}`, '--config', file],
      folder.path,
    );
    assert.match(`${stdout}${stderr}`, 'FAKE', 'it is shown');
    assert.not.match(stdout, STEERING);
    assert.not.match(stderr, STEERING);
    for (const line of stderr.split('\n')) assert.not.ok(line.startsWith('FAKE'), line);
  });
}

test('an unknown command or option with control characters', async () => {
  using folder = temporaryFolder();
  for (const words of [[NASTY], ['translate', `--${NASTY}`]]) {
    const { stderr } = await meshctlHere(words, folder.path);
    assert.match(stderr, 'FAKE');
    assert.not.match(stderr, STEERING);
  }
});

test('cells of a table and problems of an input take one line each', () => {
  assert.is(table(['NAME'], [[NASTY]]).split('\n').length, 3);
  assert.is(new InputError(['first', NASTY]).message.split('\n').length, 2);
});

test('machine-readable output has the same value, and does not control a terminal either', () => {
  const value = { [NASTY]: [NASTY, 'tabs\tand\nlines\n', 'plain'] };
  const readers = { json: (text: string): unknown => JSON.parse(text), yaml: (text: string): unknown => parse(text) };
  for (const kind of ['json', 'yaml'] as const) {
    const text = plainLines(format(value, kind));
    assert.not.match(text, STEERING);
    assert.equal(readers[kind](text), value, kind);
  }
});

test('a stream is restored when the command has ended', () => {
  const { write } = process.stdout;
  {
    using _guard = guardTerminal();
    assert.is.not(process.stdout.write, write, 'guarded');
  }
  assert.is(process.stdout.write, write);
});

test.run();
