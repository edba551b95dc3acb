/** Configuration: files, environment and flags, and errors for invalid ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import * as z from 'zod';
import { ConfigError, HelpRequested, listenAddress, loadConfig, variableOf } from '../src/mod.ts';

const schema = z.strictObject({
  namespace: z.string().default('meshrelay'),
  relay: z
    .strictObject({ listen: z.string().default(':9900').pipe(listenAddress), attempts: z.int().positive().optional() })
    .prefault({}),
  verbose: z.boolean().default(false),
});
const FIELDS = ['namespace', 'relay.listen', 'relay.attempts', 'verbose'];

type Loaded = z.infer<typeof schema>;

function load(argv: readonly string[], env: Record<string, string> = {}): Loaded {
  return loadConfig(schema as unknown as z.ZodType<Loaded>, { argv, env, fields: FIELDS });
}

function fault(argv: readonly string[], env: Record<string, string> = {}): string {
  try {
    load(argv, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

function withFile<T>(text: string, use: (path: string) => T): T {
  using folder = temporaryFolder();
  const path = join(folder.path, 'config.yaml');
  writeFileSync(path, text);
  return use(path);
}

test('flags override the environment, that overrides the file, and that overrides defaults', () => {
  withFile('namespace: file\nverbose: true\nrelay: {attempts: 1}\n', (path) => {
    const env = { MESHRELAY_RELAY_ATTEMPTS: '2', MESHRELAY_NAMESPACE: 'env' };
    assert.equal(load(['--config', path, '--namespace=flag'], env), {
      namespace: 'flag',
      relay: { listen: { host: '0.0.0.0', port: 9900 }, attempts: 2 },
      verbose: true,
    });
    assert.is(load(['--config', path]).namespace, 'file');
    assert.is(
      load(['--config', path], { MESHRELAY_NAMESPACE: '' }).namespace,
      'file',
      'an empty variable counts as unset',
    );
  });
  assert.is(load([]).namespace, 'meshrelay');
  assert.is(variableOf('relay.serverAddress'), 'MESHRELAY_RELAY_SERVERADDRESS');
});

test('text is parsed as a number or a boolean only if the schema expects one', () => {
  assert.is(load(['--namespace', '42']).namespace, '42');
  assert.is(load(['--namespace', 'true']).namespace, 'true');
  assert.is(load(['--verbose', 'true']).verbose, true);
  assert.match(fault(['--verbose', 'yes']), 'verbose: ');
  assert.match(fault(['--relay.attempts', 'many']), 'relay.attempts: ');
  assert.match(fault(['--relay.attempts', '1.5']), 'relay.attempts: ');
  assert.match(fault(['--relay.attempts', '-1']), 'relay.attempts: ');
});

test('errors name the field, and the flag, variable or file of its value', () => {
  assert.match(
    fault(['--relay.listen', 'x']),
    'relay.listen: expected HOST:PORT, such as 127.0.0.1:9900, got "x" (--relay.listen)',
  );
  assert.match(fault([], { MESHRELAY_RELAY_LISTEN: 'x' }), '(MESHRELAY_RELAY_LISTEN)');
  withFile('relay: {listen: 7}\nunknown: 1\n', (path) => {
    const text = fault(['--config', path]);
    assert.match(text, 'relay.listen: ');
    assert.match(text, 'unknown');
    assert.match(text, path);
  });
});

test('unknown flags, and flags without a value, are rejected', () => {
  assert.is(fault(['--namespce', 'x']), 'unknown argument --namespce; did you mean --namespace?');
  assert.match(fault(['--zzzzzzzzzz']), 'known are --config, --namespace, --relay.listen');
  assert.match(fault(['stray']), 'unknown argument stray');
  assert.match(fault(['-n', 'x']), 'unknown argument -n');
  assert.match(fault(['--namespace']), '--namespace needs a value');
  assert.match(fault(['--namespace', '--verbose', 'true']), '--namespace needs a value');
  assert.not.match(fault(['--toke=canary']), 'canary');
});

test('invalid files are rejected', () => {
  assert.match(fault(['--config', 'nowhere.yaml']), '--config nowhere.yaml: ENOENT');
  withFile('a: [1\n', (path) => assert.match(fault(['--config', path]), /line \d+, column \d+/));
  withFile('- a\n', (path) => assert.match(fault(['--config', path]), 'expected a mapping of fields'));
  withFile('just text\n', (path) => assert.match(fault(['--config', path]), 'expected a mapping of fields'));
  withFile('a: 1\na: 2\n', (path) => assert.match(fault(['--config', path]), 'unique'));
  withFile('a: 1\n---\nb: 2\n', (path) => assert.match(fault(['--config', path]), 'multiple documents'));
  withFile(`namespace: ${'x'.repeat(1024 * 1024)}\n`, (path) =>
    assert.match(fault(['--config', path]), 'larger than 1 MiB'),
  );
  withFile('', (path) => assert.is(load(['--config', path]).namespace, 'meshrelay'));
});

test('a file can neither slow down parsing nor change unrelated objects', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (let level = 0; level < 12; level += 1) {
    const [name, before] = [String.fromCharCode(98 + level), String.fromCharCode(97 + level)];
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`);
  }
  withFile(bomb.join('\n'), (path) => assert.match(fault(['--config', path]), /alias/i));
  withFile('__proto__: {polluted: true}\n', (path) => assert.ok(fault(['--config', path])));
  assert.is(({} as { polluted?: boolean }).polluted, undefined);
});

test('--help lists every field, whatever else is wrong', () => {
  for (const argv of [['--help'], ['-h'], ['--nonsense', '--help']]) {
    try {
      load(argv);
      throw new Error('it was taken');
    } catch (error) {
      assert.instance(error, HelpRequested);
      for (const field of FIELDS) assert.match((error as Error).message, `  --${field}\n`);
    }
  }
});

test.run();
