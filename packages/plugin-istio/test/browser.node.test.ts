/** A page can translate policies for Istio in memory: the bundle runs without Node, and is small enough to load. */
import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expandFleet } from '@meshrelay/plugin-kit';
import { assert, test } from '@meshrelay/testing';
import { build, stop } from 'esbuild';
import * as fixture from '../src/fixture.ts';

/**
 * Bytes after gzip. 105,000 are the stages of the core, all of which a translation runs, 40,000 the kinds and Istio's
 * translation, 8,000 zod/mini. `yaml` has 31,000: Istio's mesh configuration is a text in a ConfigMap, and a reader of
 * our own for a part of YAML would misread the rest. Without it, 150,000 would nearly be reached.
 */
const MAX_BYTES = 186_000;

/** What a page does: it loads the plugin, builds a fleet, and reads objects and statuses. */
const PAGE = `
  import { decodeObject } from '../../api/src/mod.ts';
  import { buildFleet, loadPlugins, statusDocument } from '../../relay-core/src/mod.ts';
  import istio from '../src/mod.ts';

  globalThis.translate = (clusters, management, hash) => {
    const plugins = loadPlugins([{ module: 'istio', plugin: istio }]);
    const problems = management.flatMap((policy) => decodeObject(policy).problems ?? []);
    const fleet = buildFleet({ clusters, management, plugins, hash });
    const objects = [...fleet.desired.entries()].map(([, { object }]) => object);
    return JSON.stringify({ problems, objects, policies: statusDocument(fleet).policies });
  };
`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: import.meta.dirname, loader: 'ts' },
    absWorkingDir: resolve(import.meta.dirname, '..'),
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2024',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** Any function of 32 hexadecimal digits. */
const HASH = `(text) => {
  let sum = 0n;
  for (const character of text) sum = (sum * 1099511628211n + BigInt(character.codePointAt(0))) % (1n << 128n);
  return sum.toString(16).padStart(32, '0');
}`;

const page = await bundle();

test(`the bundle has at most ${MAX_BYTES / 1000} kB`, () => {
  const bytes = gzipSync(page, { level: 9 }).length;
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes after gzip, expected at most ${MAX_BYTES}; see which import adds them`);
});

test('it translates where there is only the language', () => {
  const { clusters, management } = expandFleet(
    {
      about: 'a timeout',
      clusters: { east: { services: { 'reviews.shop': { ports: ['http:80:8080'] } } } },
      management: [{ TrafficPolicy: 'slow', spec: { policy: { requestTimeout: '2s' } } }],
    },
    { type: 'istio', fixture },
  );
  const context = createContext(Object.create(null));
  runInContext(page, context);
  const call = `translate(${JSON.stringify(clusters)}, ${JSON.stringify(management)}, ${HASH})`;
  const { problems, objects, policies } = JSON.parse(String(runInContext(call, context)));
  assert.equal(problems, []);
  assert.equal(
    objects.map(({ kind, spec }: { kind: string; spec: { http: { timeout: string }[] } }) => [
      kind,
      ...spec.http.map(({ timeout }) => timeout),
    ]),
    [['VirtualService', '2s']],
  );
  assert.is(policies[0].state, 'ACCEPTED');
});

test.after(() => stop());

test.run();
