/**
 * Istio's pairs of access rules in a real Envoy: for every rule that an AccessPolicy can express, the generated filters
 * decide as Istio's do.
 */
import { httpConnectionManager, listener, messageToJson } from '@meshrelay/envoy-api';
import { assert, eventually, sharedPath, temporaryFolder, test } from '@meshrelay/testing';
import { envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { connectionFilters, requestFilters } from '../src/translate/access/filters.ts';
import { accessFilters } from '../src/translate/access/rules.ts';
import { Identities } from './support/identities.ts';
import { type Caller, type Question, Questions } from './support/rbac/ask.ts';
import { type OracleRule, oracleRules } from './support/rbac/oracle.ts';
import { EXPRESSED, type Expressed, NOT_EXPRESSIBLE } from './support/rbac/rules.ts';
import { CONNECTIONS, type Court, REQUESTS, verifyBootstrap } from './support/rbac/verify-bootstrap.ts';
import type { Json } from './support/static-bootstrap.ts';

const QUESTIONS = 200;
const WAITING = { deadline: 120_000 };
/** Rules that match all callers or none: every question has the same answer. */
const CONSTANT: ReadonlySet<string> = new Set([
  'http-allow-empty-rule allow-all 0',
  'http-allow-nil-rule allow-none 0',
  'http-deny-empty-rule deny-all 0',
  'tcp-deny-both-http-tcp httpbin-deny 1',
  'tcp-deny-both-http-tcp httpbin-deny 8',
]);
const SEED = 20_261_122;
const PORTS = [80, 90, 8080] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const PATHS = ['/', '/v1', '/v2', '/v1/', '/v11', '/v1?a=/v2', '/V1', '//v1', '/a/../v2', '/%76%31'] as const;
/** All are of trust domains that the mesh accepts, except the first four, which are not ServiceAccounts. */
const IDENTITIES = [
  'deny',
  'allow',
  'principals1',
  'principals2',
  'cluster.local/ns/istio-system/sa/gateway',
  'cluster.local/ns/istio-system2/sa/gateway',
  'td1/ns/namespaces1/sa/a',
  'cluster.local/ns/namespaces2/sa/b',
  'cluster.local/ns/ns-1/sa/a',
  'td1/ns/ns-11/sa/a',
  'td1/ns/rule0/sa/from0-principal0',
  'cluster.local/ns/rule0/sa/from1-principal1',
  'cluster.local/ns/rule1/sa/from0-principal0',
] as const;

/** Mulberry32: the same questions in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function questions(callers: readonly Caller[], next: () => number): Question[] {
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return Array.from({ length: QUESTIONS }, () => ({
    caller: one(callers),
    port: one(PORTS),
    method: one(METHODS),
    path: one(PATHS),
  }));
}

/** Identities whose TLS handshake a mesh would reject are only tested if rules name them. */
function callersFor({ rules }: Expressed, all: readonly Caller[]): readonly Caller[] {
  const named = rules.flatMap(({ sources }) => (sources.kind === 'anyone' ? [] : sources.principals));
  const odd = named.some((principal) => !principal.includes('/'));
  return odd ? all : all.filter(({ identity }) => identity === undefined || identity.includes('/'));
}

const managed = (index: number, port: number): string => `managed-${index}-${port}`;
const unmanaged = (index: number): string => `theirs-${index}`;

function courtsFor({ name, http, filter }: OracleRule, index: number): Court[] {
  const { rules = [], closed = false } = EXPRESSED[name] ?? {};
  return [
    { name: unmanaged(index), http, filters: [filter] },
    ...PORTS.map((number): Court => {
      const filters = accessFilters(rules, { number, http, closed });
      const written = http
        ? requestFilters(filters).map((one) => messageToJson(httpConnectionManager.HttpFilterSchema, one))
        : connectionFilters(filters).map((one) => messageToJson(listener.FilterSchema, one));
      return { name: managed(index, number), http, filters: written.map(configOf) };
    }),
  ];
}

function configOf(filter: Json): Json {
  const { '@type': _, ...config } = filter['typed_config'] as Json;
  return config;
}

const folder = sharedPath('oracles', 'istio', 'authz-rbac');
const all = folder === undefined ? [] : oracleRules(folder);

if (folder !== undefined) {
  test('every rule of the pairs is expressed, or has a reason why not', () => {
    const names = all.map(({ name }) => name).sort();
    assert.equal([...Object.keys(EXPRESSED), ...Object.keys(NOT_EXPRESSIBLE)].sort(), names);
  });
}

const program = folder === undefined ? undefined : await envoyProgram();

if (program !== undefined) {
  test(`expressed rules decide ${QUESTIONS} questions each as Istio's filter does`, async () => {
    using work = temporaryFolder();
    const identities = new Identities(work.path);
    const certificates = [undefined, ...IDENTITIES].map((identity): Caller => {
      if (identity === undefined) return { identity };
      const [own] = identities.secretsOf(`spiffe://${identity}`);
      const { certificate_chain: cert, private_key: key } = (own?.['tls_certificate'] ?? {}) as Record<string, Json>;
      return { identity, cert: String(cert?.['inline_string']), key: String(key?.['inline_string']) };
    });
    const expressed = all.filter(({ name }) => Object.hasOwn(EXPRESSED, name));
    const server = identities.secretsOf('spiffe://cluster.local/ns/foo/sa/httpbin');
    await using envoy = await startEnvoy(program, verifyBootstrap(expressed.flatMap(courtsFor), server));
    const port = (name: string) => eventually(`Envoy listens for ${name}`, () => envoy.admin.port(name), WAITING);
    const at = { requests: await port(REQUESTS), connections: await port(CONNECTIONS) };
    using asking = new Questions();
    const next = numbers(SEED);
    let alike = 0;
    for (const [index, { name, http }] of expressed.entries()) {
      const evaluated = (court: string, question: Question): Promise<boolean> =>
        http ? asking.request(at.requests, court, question) : asking.connection(at.connections, court, question);
      const differing: object[] = [];
      const given = new Set<boolean>();
      for (const question of questions(callersFor(EXPRESSED[name] ?? { rules: [] }, certificates), next)) {
        const { caller, ...requested } = question;
        const [istio, meshrelay] = await Promise.all([
          evaluated(unmanaged(index), question),
          evaluated(managed(index, question.port), question),
        ]);
        given.add(istio);
        if (istio !== meshrelay) differing.push({ ...requested, identity: caller.identity, istio, meshrelay });
      }
      assert.equal(differing, [], `${name} decides alike`);
      assert.ok(given.size === 2 || CONSTANT.has(name), `${name}: the requests distinguish its callers`);
      alike += 1;
    }
    console.log(
      `access rules of Istio's pairs: ${alike} alike, ${Object.keys(NOT_EXPRESSIBLE).length} not expressible`,
    );
    for (const [name, reason] of Object.entries(NOT_EXPRESSIBLE)) console.log(`  not expressible: ${name}: ${reason}`);
  });
}

test.run();
