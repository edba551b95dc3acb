/** Modules are fetched once, cached on disk, retried, and verified whenever they are read (T26). */
import { Buffer } from 'node:buffer';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WasmModuleReference } from '@meshrelay/envoy-api';
import { assert, eventually, ManualClock, temporaryFolder, test } from '@meshrelay/testing';
import { systemResolver } from '../../src/wasm/fetch/pinned-request.ts';
import { ModuleError } from '../../src/wasm/module-error.ts';
import { ModuleCache, sha256Of } from '../../src/wasm/modules/module-cache.ts';
import { ModuleSource } from '../../src/wasm/modules/module-source.ts';
import { Modules, type ModulesOptions } from '../../src/wasm/modules/modules.ts';
import { host, MODULE, MODULE_SHA, NO_FILES } from './hosts.ts';

const http = (uri: string, sha256 = MODULE_SHA): WasmModuleReference => ({ kind: 'http', uri, sha256 });
const TAG: WasmModuleReference = { kind: 'image', image: 'r.example.com/a:v1' };

interface Setup {
  readonly modules: Modules;
  readonly clock: ManualClock;
  readonly changed: WasmModuleReference[];
}

function setUp(directory: string, fetch: ModulesOptions['fetch']): Setup {
  const clock = new ManualClock();
  const changed: WasmModuleReference[] = [];
  const modules = new Modules({
    fetch,
    clock,
    cache: new ModuleCache({ directory, maxBytes: 1000 }),
    random: () => 0.5,
    onChanged: (reference) => changed.push(reference),
    onDiskError: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  return { modules, clock, changed };
}

test('a module is fetched once for all references to it, from any source', async () => {
  using folder = temporaryFolder();
  let fetches = 0;
  const { modules } = setUp(folder.path, async () => {
    fetches += 1;
    return MODULE;
  });
  using _end = modules;
  assert.equal(modules.need(http('https://a/1')), {});
  modules.need(http('https://a/1'));
  modules.need(http('https://b/1'));
  await eventually(
    'it is so',
    () =>
      modules.need(http('https://b/1')).module !== undefined && modules.need(http('https://a/1')).module !== undefined,
  );
  assert.is(fetches, 1);
  const later = setUp(folder.path, () => Promise.reject(new Error('it is on disk')));
  using _endToo = later.modules;
  later.modules.need(http('https://a/1'));
  await eventually('it is so', () => later.modules.need(http('https://a/1')).module?.sha256 === MODULE_SHA);
});

test('an unavailable module has a reason, and is retried', async () => {
  using folder = temporaryFolder();
  let up = false;
  const { modules, clock, changed } = setUp(folder.path, async () => {
    if (!up) throw new ModuleError('it is down', 'later');
    return MODULE;
  });
  using _end = modules;
  const reference = http('https://a/1');
  modules.need(reference);
  await eventually('it is so', () => modules.need(reference).reason === 'it is down');
  assert.is(changed.length, 1);
  up = true;
  await eventually('it is so', async () => {
    await clock.pass(60_000);
    return modules.need(reference).module !== undefined;
  });
  assert.is(modules.need(reference).reason, undefined);
});

test('a new image of a tag is adopted, and the previous one stays while that is not available', async () => {
  using folder = temporaryFolder();
  const next = Buffer.concat([MODULE, Buffer.from([0])]);
  let answer: () => Promise<Uint8Array> = async () => MODULE;
  const { modules, clock } = setUp(folder.path, () => answer());
  using _end = modules;
  modules.need(TAG);
  await eventually('it is so', () => modules.need(TAG).module?.sha256 === MODULE_SHA);
  answer = () => Promise.reject(new ModuleError('it is gone', 'changed'));
  await eventually('it is so', async () => {
    await clock.pass(60_000);
    return modules.need(TAG).reason === 'it is gone';
  });
  assert.is(modules.need(TAG).module?.sha256, MODULE_SHA);
  answer = async () => next;
  await eventually('it is so', async () => {
    await clock.pass(600_000);
    return modules.need(TAG).module?.sha256 === sha256Of(next);
  });
  assert.is(modules.need(TAG).reason, undefined);
});

test('a module that is no longer needed is not requested again', async () => {
  using folder = temporaryFolder();
  let ended = false;
  const { modules } = setUp(
    folder.path,
    (_reference, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended = true;
          reject(signal.reason);
        });
      }),
  );
  using _end = modules;
  modules.need(TAG);
  modules.release(TAG);
  await eventually('it is so', () => ended);
});

test('the cache has a size limit, and evicts the least recently used module', async () => {
  using folder = temporaryFolder();
  const files = [1, 2, 3].map((size) => Buffer.alloc(400, size));
  const [first = '', second = '', third = ''] = files.map(sha256Of);
  const cache = new ModuleCache({ directory: folder.path, maxBytes: 1000 });
  for (const file of files.slice(0, 2)) await cache.put(sha256Of(file), file);
  assert.ok(await cache.get(first));
  await cache.put(third, files[2] as Buffer);
  assert.is(cache.bytes, 800);
  assert.is(await cache.get(second), undefined);
  assert.ok(await cache.get(first));
  assert.equal((await readdir(folder.path)).sort(), [`${first}.wasm`, `${third}.wasm`].sort());
  await cache.put(sha256Of(Buffer.alloc(2000)), Buffer.alloc(2000));
  assert.is(cache.bytes, 800, 'what has no room is not kept');
  const smaller = new ModuleCache({ directory: folder.path, maxBytes: 500 });
  assert.is((await Promise.all([first, third].map((sha256) => smaller.get(sha256)))).filter(Boolean).length, 1);
});

test('a file on disk is used only while its content matches its name', async () => {
  using folder = temporaryFolder();
  const cache = new ModuleCache({ directory: folder.path, maxBytes: 1000 });
  await cache.put(MODULE_SHA, MODULE);
  await writeFile(join(folder.path, `${MODULE_SHA}.wasm`), 'something else');
  await writeFile(join(folder.path, `${MODULE_SHA}.half.tmp`), 'what a crash left');
  assert.is(await cache.get(MODULE_SHA), undefined);
  await cache.put(MODULE_SHA, MODULE);
  assert.equal(Buffer.from((await cache.get(MODULE_SHA)) ?? []), MODULE);
  const opened = new ModuleCache({ directory: folder.path, maxBytes: 1000 });
  await opened.get(MODULE_SHA);
  assert.equal(await readdir(folder.path), [`${MODULE_SHA}.wasm`]);
});

/** Message of the rejection. */
async function rejection(reference: WasmModuleReference, source: ModuleSource): Promise<string> {
  try {
    await source.fetch(reference, new AbortController().signal);
  } catch (error) {
    assert.is((error as Error).name, 'ModuleError', (error as Error).stack);
    return (error as Error).message;
  }
  throw new Error('it was fetched');
}

test('a module matches its reference, or is rejected', async () => {
  await using files = await host((request, response) => response.end(request.url === '/garbage' ? 'garbage!' : MODULE));
  const source = new ModuleSource({
    hosts: [files.entry],
    maxBytes: 100,
    timeout: 30_000,
    cluster: NO_FILES,
    resolve: systemResolver,
  });
  const { signal } = new AbortController();
  assert.equal(Buffer.from(await source.fetch(http(`${files.origin}/a`), signal)), MODULE);
  assert.match(
    await rejection(http(`${files.origin}/a`, 'b'.repeat(64)), source),
    new RegExp(`has the SHA-256 ${MODULE_SHA} instead of bbb`),
  );
  assert.match(
    await rejection(http(`${files.origin}/garbage`, sha256Of(Buffer.from('garbage!'))), source),
    /is not a WebAssembly module/,
  );
});

test('a module of a ConfigMap has the same size limit as any other', async () => {
  const source = (bytes: Uint8Array): ModuleSource =>
    new ModuleSource({
      hosts: [],
      maxBytes: 100,
      timeout: 30_000,
      cluster: {
        ...NO_FILES,
        configMap: async (...path) => {
          assert.equal(path.slice(0, 3), ['shop', 'modules', 'a.wasm']);
          return bytes;
        },
      },
      resolve: systemResolver,
    });
  const reference: WasmModuleReference = { kind: 'configMap', namespace: 'shop', name: 'modules', key: 'a.wasm' };
  assert.equal(Buffer.from(await source(MODULE).fetch(reference, new AbortController().signal)), MODULE);
  assert.match(
    await rejection(reference, source(Buffer.alloc(101))),
    /a\.wasm of ConfigMap shop\/modules has more than 100 bytes/,
  );
});

test.run();
