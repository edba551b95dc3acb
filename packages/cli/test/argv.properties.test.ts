/**
 * Random arguments: each call terminates with an exit code and, if it is rejected, with a reason that names the error.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { assert, scaledRuns, temporaryFolder, test } from '@meshrelay/testing';
import { holdInTurn } from '@meshrelay/testing/random-runs';
import type { Command } from 'commander';
import fc from 'fast-check';
import { plain } from '../src/output/plain.ts';
import { createProgram } from '../src/program.ts';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctlHere, type Result } from './support/run.ts';

/** Calls in one run of CI. */
const RUNS = scaledRuns(5000);
/** The same calls in each run of CI; another `MESHRELAY_SEED` tries others. */
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 357_812_796);
/** Milliseconds after which a call counts as hanging, on a machine that may be busy. */
const HANGS = 120_000;

const FILES = {
  'east.yaml': CLUSTER,
  'policy.yaml': policy('one', '{requestTimeout: 1s}'),
  'broken.yaml': 'kind: [',
  'folder/west.yaml': CLUSTER,
  token: 'x',
  'kubeconfig.yaml': 'kind: Config\n',
};

const NAMES = ['cluster-1', 'C1', 'reviews', 'shop/reviews', '_/shop/x', 'a/b/c/d/e', 'policy', 'mesh', '../../x'];
const HOSTILE = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    '__proto__=east.yaml',
    'constructor.prototype.polluted=1',
    'hasOwnProperty',
  ],
  ...['', ' ', '-', '--', '---', '-x', '--=', '=', '--no-replace', '--output', '--cluster=', '-ojson', '--', 'help'],
  ...[
    '\0',
    'a\0b',
    '\n',
    '\u001b[2J',
    '\u202e',
    '\ud800',
    'с1',
    '😀',
    '%00',
    '%ff',
    '"',
    "'",
    '`id`',
    '$(id)',
    '; id',
    '|',
  ],
  ...['x'.repeat(5_000), '-'.repeat(300), '../'.repeat(200), 'a='.repeat(100)],
];
const NUMBERS = [
  '0',
  '-1',
  '1',
  '1.5',
  '1e9',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x10',
  '９',
  '9'.repeat(400),
  '1_000',
  '+1',
];
const DURATIONS = ['1s', '0s', '-5s', '1h30m', '1d', '5', '99999999999h', '1e3s', '1ms', 's', 'ns', '1s1', '１s'];
const PATHS = [
  ...[
    'east.yaml',
    'policy.yaml',
    'broken.yaml',
    'folder',
    'missing.yaml',
    'token',
    'kubeconfig.yaml',
    '.',
    '..',
    '/',
    './east.yaml/',
  ],
  ...['/dev/null', '/dev/zero', '/proc/self/mem', '/nowhere/at/all', 'file:///etc/hosts', '~', '*', 'east.yaml\0.txt'],
];
const PAIRS = [
  'cluster-1=east.yaml',
  'cluster-2=folder',
  'cluster-1=',
  '=east.yaml',
  'a=b=c',
  'cluster-1=broken.yaml',
  'C_1=east.yaml',
];
const URLS = [
  'http://127.0.0.1:1',
  'https://[::1',
  'ftp://x',
  'javascript:alert(1)',
  'http://u:p@h',
  '//',
  'http://x:99999',
  'http:// ',
];
const CHOICES = [
  'json',
  'yaml',
  'table',
  'table',
  'xml',
  'drain',
  'force',
  'JSON',
  'node:os',
  './east.yaml',
  '@nowhere/plugin',
];

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES, ...PATHS, ...PAIRS, ...CHOICES) },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE, ...NUMBERS, ...DURATIONS, ...URLS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

interface Leaf {
  readonly words: readonly string[];
  readonly flags: ReadonlyArray<{ readonly flag: string; readonly takes: boolean }>;
  readonly places: number;
}

/** Every command of the program, so new commands are tested, too. */
function leaves(command: Command, words: readonly string[] = []): Leaf[] {
  if (command.commands.length > 0) return command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
  const flags = command.options.flatMap(({ long, short, required }) =>
    [long, short].flatMap((flag) => (flag == null ? [] : [{ flag, takes: required }])),
  );
  return [{ words, flags, places: command.registeredArguments.length }];
}

/** Without a command that runs until it is interrupted. */
const COMMANDS = leaves(createProgram()).filter(({ words }) => words.join(' ') !== 'plugin dev');

/**
 * A call: mostly of an existing command with its own options; values are missing, repeated, misplaced, and of every
 * kind.
 */
const calls: fc.Arbitrary<readonly string[]> = fc.constantFrom(...COMMANDS).chain(({ words, flags, places }) => {
  const option =
    flags.length === 0
      ? fc.constant<string[]>([])
      : fc
          .tuple(fc.constantFrom(...flags), value, fc.constantFrom('apart', 'apart', 'apart', 'joined', 'none'))
          .map(([{ flag, takes }, text, how]) =>
            !takes || how === 'none' ? [flag] : how === 'joined' ? [`${flag}=${text}`] : [flag, text],
          );
  const positional = fc.array(value, { minLength: Math.max(0, places - 1), maxLength: places + 1 });
  const junk = fc.oneof(
    { weight: 8, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.array(value, { maxLength: 2 }) },
  );
  return fc
    .tuple(positional, fc.array(option, { maxLength: 5 }), junk, fc.nat(20))
    .map(([given, options, more, spoil]) => {
      const all = [...words, ...given, ...options.flat(), ...more];
      // Some calls use an unknown command name.
      return spoil === 0 ? all.map((word, index) => (index === 0 ? `${word}x` : word)) : all;
    });
});

const WRITES = [
  ...[
    'writeFileSync',
    'appendFileSync',
    'mkdirSync',
    'mkdtempSync',
    'renameSync',
    'unlinkSync',
    'symlinkSync',
    'linkSync',
  ],
  ...['copyFileSync', 'cpSync', 'truncateSync', 'chmodSync', 'createWriteStream', 'writeFile', 'mkdir', 'rename'],
] as const;

/** A machine on which, during `of`, all writes and connections fail; records the attempts. */
class Outside implements Disposable {
  readonly tried: string[] = [];
  #closed = false;
  readonly #undo: Array<() => void> = [];

  constructor() {
    const rejection = (name: string): Error =>
      Object.assign(new Error(`EROFS: read-only file system, ${name}`), { code: 'EROFS' });
    for (const name of WRITES)
      this.#replace(fs, name, () => {
        throw rejection(name);
      });
    this.#replace(globalThis, 'fetch', () =>
      Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
    );
    this.#replace(Socket.prototype, 'connect', (socket) => {
      queueMicrotask(() => (socket as Socket).destroy(new Error('connect ECONNREFUSED')));
      return socket;
    });
    syncBuiltinESMExports();
  }

  /** The result of the work, and its attempts to write or connect. */
  async of<T>(work: () => Promise<T>): Promise<T> {
    this.tried.length = 0;
    this.#closed = true;
    try {
      return await work();
    } finally {
      this.#closed = false;
    }
  }

  [Symbol.dispose](): void {
    for (const undo of this.#undo) undo();
    syncBuiltinESMExports();
  }

  #replace(owner: object, name: string, refuse: (self: unknown) => unknown): void {
    const methods = owner as Record<string, (...given: unknown[]) => unknown>;
    const real = methods[name];
    if (real === undefined) throw new Error(`no method ${name}`);
    const isClosed = (): boolean => this.#closed;
    const { tried } = this;
    methods[name] = function closed(this: unknown, ...given: unknown[]): unknown {
      if (!isClosed()) return real.apply(this, given);
      tried.push(name);
      return refuse(this);
    };
    this.#undo.push(() => {
      methods[name] = real;
    });
  }
}

/** Whether an error names the wrong word or option, or the missing argument. */
function names(stderr: string, words: readonly string[]): boolean {
  if (/(^|[^-\w])--[a-z]|argument '|too many arguments|^Usage: meshctl/m.test(stderr)) return true;
  const hasEmpty = words.some((word) => word === '' || word.endsWith('='));
  if (hasEmpty && /''|""/.test(stderr)) return true;
  // For a folder, the error names the file in it.
  const given = [...words, ...Object.keys(FILES)]
    .flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
    .filter((word) => word !== '');
  return given.some((word) =>
    [word, JSON.stringify(word).slice(1, -1), plain(word)].some((shown) => stderr.includes(shown)),
  );
}

async function inTime(call: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error('it hangs')), HANGS);
  });
  return await Promise.race([call, hung]).finally(() => clearTimeout(timer));
}

test('T5: any call ends in an exit code, and in a reason that names the error', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, FILES);
  using fleetState = new Outside();
  const intact = Object.getOwnPropertyNames(Object.prototype).length;
  const env = { KUBECONFIG: join(folder.path, 'none'), MESHRELAY_SERVER: '', MESHRELAY_SERVER_TOKEN: '' };
  delete process.env['MESHRELAY_SERVER_TOKEN'];
  const seen: Record<string, number> = {};
  await holdInTurn({
    what: 'calls of meshctl',
    values: calls,
    runs: RUNS,
    seed: SEED,
    report: console.log,
    property: async (words) => {
      const { code, stderr } = await fleetState.of(() => inTime(meshctlHere(words, folder.path, env)));
      seen[String(code)] = (seen[String(code)] ?? 0) + 1;
      assert.ok(code === 0 || code === 1 || code === 2, `exit code ${code}`);
      assert.not.match(stderr, 'which is a bug');
      assert.not.match(stderr, '\n    at ');
      if (code === 1) assert.ok(names(stderr, words), `nothing is named: ${stderr}`);
      assert.not.ok(fleetState.tried.includes('connect'), 'something was dialled');
      // The user requested this output, so its failure must be reported.
      if (fleetState.tried.some((name) => name !== 'fetch'))
        assert.match(stderr, 'read-only file system', fleetState.tried.join());
      assert.is(Object.getOwnPropertyNames(Object.prototype).length, intact, 'Object.prototype has new members');
      assert.is(({} as Record<string, unknown>)['polluted'], undefined);
    },
  });
  assert.ok((seen['0'] ?? 0) > RUNS / 200 && (seen['1'] ?? 0) > RUNS / 4, JSON.stringify(seen));
});

test.run();
