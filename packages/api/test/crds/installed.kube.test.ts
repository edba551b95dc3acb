// A real API server accepts the CRDs, including CEL, and validates objects as Meshrelay does.
import { assert, realApiServer, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { arbitrary } from '@meshrelay/testing/arbitrary-value';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import fc from 'fast-check';
import { crds, type StructuralSchema } from '../../src/crds/mod.ts';
import { decodeObject, type FieldPath, kinds } from '../../src/mod.ts';
import { MAP_KEY, type Place, places, sample, schemaOf } from '../support/fields.ts';

/** Number of random objects of each kind that both sides validate. */
const RANDOM_OBJECTS = 150;

using client = new Client(targetOf(realApiServer()));
const server = await CustomResources.install(client, crds);

test('the server compiles CEL and estimates its cost: a rule that is too expensive is rejected', async () => {
  const [crd] = crds;
  const endless = { type: 'array', items: { type: 'array', items: { type: 'string' } } };
  const rule = 'self.all(a, self.all(b, a.all(x, b.all(y, x == y))))';
  const spec = { type: 'object', properties: { list: { ...endless, 'x-kubernetes-validations': [{ rule }] } } };
  const reply = await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', {
    ...crd,
    metadata: { name: 'dears.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Dear', plural: 'dears', singular: 'dear' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
  assert.is(reply.status, 422, reply.text);
  assert.match(reply.text, /estimated rule cost exceeds budget/);
});

for (const { kind, group, version } of kinds) {
  const { spec } = schemaOf(kind).properties ?? {};
  if (spec === undefined) throw new Error(`${kind} has no spec`);

  test(`${kind}: Meshrelay rejects or reports what the server rejects, and the server rejects what Meshrelay cannot read`, async () => {
    let accepted = 0;
    const alike = fc.asyncProperty(arbitrary(spec), async (value) => {
      const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'random' }, spec: value };
      const { status, text } = await server.admit(object);
      assert.ok(status === 201 || status === 422, `${status} ${text}`);
      const { problems, reports } = decodeObject(JSON.parse(JSON.stringify(object)));
      if (status === 201) {
        accepted += 1;
        assert.is(problems, undefined, `taken by the server, not by us: ${JSON.stringify({ problems, object })}`);
      } else {
        assert.ok(
          (problems ?? reports ?? []).length > 0,
          `refused by the server alone: ${text} ${JSON.stringify(object)}`,
        );
      }
    });
    // Few random objects of some kinds are valid: continues until one was.
    for (let round = 0; round < 20 && accepted === 0; round++) await fc.assert(alike, { numRuns: RANDOM_OBJECTS });
    assert.ok(accepted > 0, 'no random object was valid');
  });

  test(`${kind}: every field rejects invalid values`, async () => {
    const reported: string[] = [];
    for (const place of places(spec, ['spec'])) {
      for (const [what, value] of nonsenseFor(place)) {
        const nearlyEmpty = along(spec, place.path.slice(1), value);
        const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'sample' }, spec: nearlyEmpty };
        const { status, text } = await server.admit(object);
        const refused = status !== 201 && text.includes(lastName(place.path));
        const { problems, reports } = decodeObject(JSON.parse(JSON.stringify(object)));
        const complained = JSON.stringify(problems ?? reports).includes(lastName(place.path));
        if (!refused && !complained) reported.push(`${place.path.join('.')} may be ${what}: ${status}`);
        if (!complained) reported.push(`${place.path.join('.')} may be ${what} offline`);
      }
    }
    assert.equal(reported, []);
  });
}

test('the name of a KubernetesCluster is a DNS label', async () => {
  const type = { apiVersion: 'multicluster.meshrelay.dev/v1alpha1', kind: 'KubernetesCluster', spec: {} };
  const admitted = (name: string) => server.admit({ ...type, metadata: { name } });
  assert.is((await admitted('us-east')).status, 201);
  for (const name of ['us.east', 'a'.repeat(64)]) {
    const { status, text } = await admitted(name);
    assert.is(status, 422, text);
    assert.match(text, 'metadata.name');
  }
});

/** A value of the schema with `leaf` at the path, and otherwise only required fields on the path. */
function along(schema: StructuralSchema, [step, ...rest]: FieldPath, leaf: unknown): unknown {
  if (step === undefined) return leaf;
  if (schema.items !== undefined) return [along(schema.items, rest, leaf)];
  const { properties = {}, additionalProperties, required = [] } = schema;
  const child = properties[step] ?? additionalProperties;
  if (child === undefined) throw new Error(`no field ${step}`);
  const beside = required.map((name) => [name, sample(properties[name] as StructuralSchema)] as const);
  return { ...Object.fromEntries(beside), [step]: along(child, rest, leaf) };
}

/** Texts such that hardly any syntax accepts all of them. */
const MISFITS = ['\u0000 \n', '*/*', ''];

/** Values that no schema of this type and these bounds accepts. */
function nonsenseFor({ schema, required }: Place): Array<readonly [what: string, value: unknown]> {
  const { type, minimum, maximum, maxLength, maxItems, pattern } = schema;
  const nonsense: Array<readonly [string, unknown]> = [[`no ${type}`, ofAnotherType(schema)]];
  if (schema.enum !== undefined) nonsense.push(['an unknown word', 'NONE-OF-THEM']);
  if (minimum !== undefined) nonsense.push(['too small', minimum - 1]);
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) nonsense.push(['too large', maximum + 1]);
  if (maxLength !== undefined && maxLength < 10_000) nonsense.push(['too long', 'a'.repeat(maxLength + 1)]);
  const mismatch = pattern === undefined ? undefined : MISFITS.find((text) => !new RegExp(pattern, 'u').test(text));
  if (mismatch !== undefined) nonsense.push(['of another syntax', mismatch]);
  if (type === 'integer') nonsense.push(['a fraction', (minimum ?? 0) + 0.5]);
  if (maxItems !== undefined && maxItems < 50) nonsense.push(['too many', new Array(maxItems + 1).fill({})]);
  if (required) nonsense.push(['left out', undefined]);
  return nonsense;
}

function ofAnotherType({ type }: StructuralSchema): unknown {
  return type === 'string'
    ? { not: 'text' }
    : type === 'array'
      ? 'no list'
      : type === 'object'
        ? ['no object']
        : 'no number';
}

/** The last step of a path that has a name in messages. */
function lastName(path: FieldPath): string {
  return String(path.findLast((step) => typeof step === 'string' && step !== MAP_KEY));
}

test.run();
