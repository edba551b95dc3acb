/** CustomResourceDefinitions: their rules, and their effect on instances. */
import { assert, eventually } from '@meshrelay/testing';
import type { Client } from '@meshrelay/testing/api-server';
import { area, type ConformanceCase, expectFailure, expectStatus } from './conformance-case.ts';
import { crd, WIDGET_GROUP, widget } from './widget-crd.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };

/** A root schema whose spec has some properties. */
function rooted(spec: object, more: object = {}): object {
  return { type: 'object', properties: { spec: { type: 'object', properties: spec } }, ...more };
}

/** Creates a CRD and waits until its resource answers; the CRD is removed when the case ends. */
async function install(
  client: Client,
  definition: Record<string, unknown>,
): Promise<AsyncDisposable & { readonly path: string }> {
  const { metadata, spec } = definition as {
    metadata: { name: string };
    spec: { group: string; names: { plural: string } };
  };
  expectStatus(await client.post(CRDS, definition), 201);
  const path = `/apis/${spec.group}/v1/namespaces/default/${spec.names.plural}`;
  await eventually(`${metadata.name} is served`, async () => (await client.get(path)).status === 200);
  return { path, [Symbol.asyncDispose]: async () => void (await client.delete(`${CRDS}/${metadata.name}`)) };
}

/** The server's message about an invalid schema, after the path of the root. */
async function schemaFault(client: Client, schema: object): Promise<string> {
  const reply = expectStatus(
    await client.post(`${CRDS}?dryRun=All`, crd('fault.meshrelay.dev', 'faults', 'Fault', schema)),
    422,
  );
  return reply.body.message;
}

/** Cases of CRDs themselves. */
export const crdCases: ConformanceCase[] = area('crd', {
  'is established and its names are accepted': async ({ client }) => {
    await using _ = await install(client, crd('est.meshrelay.dev', 'ones', 'One', rooted({ a: text })));
    const conditions = await eventually('conditions', async () => {
      const found = (await client.get(`${CRDS}/ones.est.meshrelay.dev`)).body.status?.conditions;
      return (
        found?.some(
          (each: { type: string; status: string }) => each.type === 'Established' && each.status === 'True',
        ) && found
      );
    });
    const reasons = conditions.map(({ type, status, reason }: Record<string, string>) => [type, status, reason]);
    assert.equal(reasons, [
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ]);
    const { status } = (await client.get(`${CRDS}/ones.est.meshrelay.dev`)).body;
    assert.equal(status.storedVersions, ['v1']);
    assert.is(status.acceptedNames.kind, 'One');
  },
  'whose names are taken is not established': async ({ client }) => {
    await using _ = await install(client, crd('taken.meshrelay.dev', 'ones', 'One', rooted({ a: text })));
    expectStatus(await client.post(CRDS, crd('taken.meshrelay.dev', 'twos', 'One', rooted({ a: text }))), 201);
    const conditions = await eventually(
      'conditions',
      async () => (await client.get(`${CRDS}/twos.taken.meshrelay.dev`)).body.status?.conditions,
    );
    await client.delete(`${CRDS}/twos.taken.meshrelay.dev`);
    const reasons = conditions.map(({ type, status, reason }: Record<string, string>) => [type, status, reason]);
    assert.equal(reasons, [
      ['NamesAccepted', 'False', 'ListKindConflict'],
      ['Established', 'False', 'NotAccepted'],
    ]);
  },
  'takes its instances along when it goes': async ({ client }) => {
    await using installed = await install(client, crd('gone.meshrelay.dev', 'ones', 'One', rooted({ a: text })));
    await client.post(installed.path, { apiVersion: 'gone.meshrelay.dev/v1', kind: 'One', metadata: { name: 'x' } });
    using watch = await client.watch(installed.path);
    assert.is((await watch.next())?.type, 'ADDED');
    const { body } = expectStatus(await client.delete(`${CRDS}/ones.gone.meshrelay.dev`), 200);
    assert.equal(body.metadata.finalizers, ['customresourcecleanup.apiextensions.k8s.io']);
    assert.is((await watch.next())?.type, 'DELETED');
    assert.is(await watch.next(), undefined);
    await eventually(
      'the path is gone',
      async () => (await client.get(installed.path)).text === '404 page not found\n',
    );
  },
  'must be named after its resource': async ({ client }) => {
    const wrong = {
      ...crd('wrong.meshrelay.dev', 'ones', 'One', rooted({})),
      metadata: { name: 'other.wrong.meshrelay.dev' },
    };
    expectFailure(
      await client.post(CRDS, wrong),
      422,
      'Invalid',
      /metadata\.name: Invalid value: "other\.wrong\.meshrelay\.dev": must be spec\.names\.plural\+"\."\+spec\.group/,
    );
  },
  'needs approval in a group of Kubernetes': async ({ client }) => {
    expectFailure(
      await client.post(CRDS, crd('x.k8s.io', 'ones', 'One', rooted({}))),
      422,
      'Invalid',
      /api-approved\.kubernetes\.io/,
    );
  },
  'must have exactly one storage version': async ({ client }) => {
    const none = crd('none.meshrelay.dev', 'ones', 'One', rooted({}), { storage: false });
    expectFailure(
      await client.post(CRDS, none),
      422,
      'Invalid',
      /must have exactly one version marked as storage version/,
    );
  },
  'must have a structural schema': async ({ client }) => {
    const at = 'spec.validation.openAPIV3Schema';
    const faults: [object, string][] = [
      [{ properties: {} }, `${at}.type: Required value: must not be empty at the root`],
      [
        rooted({ a: {} }),
        `${at}.properties[spec].properties[a].type: Required value: must not be empty for specified object fields`,
      ],
      [
        rooted({ a: { type: 'array' } }),
        `${at}.properties[spec].properties[a].items: Required value: must be specified`,
      ],
      [
        rooted({ a: { type: 'strin' } }),
        'Unsupported value: "strin": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
      [
        rooted({ a: { type: 'object', oneOf: [{ type: 'object' }] } }),
        '.oneOf[0].type: Forbidden: must be empty to be structural',
      ],
      [
        rooted({ a: { type: 'string', anyOf: [{ default: 'x' }] } }),
        '.anyOf[0].default: Forbidden: must be undefined to be structural',
      ],
      [
        rooted({}, { oneOf: [{ properties: { zz: {} } }] }),
        `${at}.properties[zz]: Required value: because it is defined in ${at}.oneOf[0].properties[zz]`,
      ],
      [
        rooted({ a: { type: 'array', items: text, uniqueItems: true } }),
        'Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
      [
        rooted({ a: { type: 'object', properties: { b: text }, additionalProperties: text } }),
        '.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
      ],
      [rooted({ a: { type: 'integer', default: 'x' } }), 'in body must be of type integer: "string"'],
      [rooted({ a: { type: 'object', properties: { b: text }, default: { c: 1 } } }), 'must not have unknown fields'],
      [
        rooted({ a: { type: 'string', pattern: 'a(?=b)' } }),
        "must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax",
      ],
      [
        { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
      [
        rooted({
          a: { type: 'array', items: { type: 'object', properties: { k: text } }, 'x-kubernetes-list-type': 'map' },
        }),
        'x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
      ],
      [
        rooted({
          a: {
            type: 'array',
            items: { type: 'object', properties: { k: text } },
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
          },
        }),
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
      [
        rooted({ a: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' } }),
        'items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ];
    for (const [schema, words] of faults) {
      const message = await schemaFault(client, schema);
      assert.ok(message.includes(words), `expected ${words} in ${message}`);
    }
  },
  'may have properties only under a nested oneOf': async ({ client }) => {
    const schema = rooted({ a: { type: 'object', oneOf: [{ properties: { zz: {} } }] } });
    expectStatus(await client.post(`${CRDS}?dryRun=All`, crd('ok.meshrelay.dev', 'ones', 'One', schema)), 201);
  },
  'must have columns of simple paths and known types': async ({ client }) => {
    const columns = (column: object) =>
      client.post(
        `${CRDS}?dryRun=All`,
        crd('col.meshrelay.dev', 'ones', 'One', rooted({}), { additionalPrinterColumns: [column] }),
      );
    expectFailure(
      await columns({ name: 'A', type: 'strin', jsonPath: '.a' }),
      422,
      'Invalid',
      /must be one of boolean,date,integer,number,string/,
    );
    expectFailure(
      await columns({ name: 'A', type: 'string', jsonPath: 'a' }),
      422,
      'Invalid',
      /must be a simple json path starting with \./,
    );
  },
  'must put its replica count under spec and status': async ({ client }) => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.spec.replicas' };
    const reply = await client.post(
      `${CRDS}?dryRun=All`,
      crd('scale.meshrelay.dev', 'ones', 'One', rooted({}), { subresources: { status: {}, scale } }),
    );
    expectFailure(reply, 422, 'Invalid', /should be a json path under \.status/);
  },
  'serves each version with its own pruning and defaults': async ({ client }) => {
    const definition = crd('mv.meshrelay.dev', 'mvs', 'Mv', rooted({ a: text, b: { type: 'string', default: 'x' } }));
    const { versions } = definition['spec'] as { versions: object[] };
    versions.push({
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      schema: { openAPIV3Schema: rooted({ a: text, c: text }) },
    });
    await using installed = await install(client, definition);
    const beta = installed.path.replace('/v1/', '/v1beta1/');
    const body = {
      apiVersion: 'mv.meshrelay.dev/v1beta1',
      kind: 'Mv',
      metadata: { name: 'x' },
      spec: { a: '1', b: '2', c: '3' },
    };
    const created = expectStatus(await client.post(beta, body), 201);
    assert.match(
      String(created.headers['warning']),
      'mv.meshrelay.dev/v1beta1 Mv is deprecated; use mv.meshrelay.dev/v1 Mv',
    );
    const read = expectStatus(await client.get(`${installed.path}/x`), 200).body;
    assert.is(read.apiVersion, 'mv.meshrelay.dev/v1');
    assert.equal(read.spec, { a: '1', b: 'x' });
    expectStatus(await client.get(installed.path.replace('/v1/', '/v9/')), 404);
  },
});

/** Cases of the validation of instances. */
export const validationCases: ConformanceCase[] = area('validation', {
  'says what is wrong with each value': async ({ client, widgets }) => {
    const faults: [object, string][] = [
      [
        { replicas: 'two' },
        'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
      ],
      [
        { replicas: -1 },
        'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
      ],
      [{ color: 'pink' }, 'spec.color: Unsupported value: "pink": supported values: "red", "green", "blue"'],
      [{ name: 'much-too-long' }, 'spec.name: Too long: may not be more than 10 bytes'],
      [{ code: 'ABC' }, `spec.code: Invalid value: "ABC": spec.code in body should match '^[a-z]+$'`],
      [
        { when: 'notdate' },
        'spec.when: Invalid value: "notdate": spec.when in body must be of type date-time: "notdate"',
      ],
      [{ plain: ['1', '2', '3', '4'] }, 'spec.plain: Too many: 4: must have at most 3 items'],
      [{ tags: ['a', 'a'] }, 'spec.tags[1]: Duplicate value: "a"'],
      [{ ports: [{ port: 1 }, { port: 1 }] }, 'spec.ports[1]: Duplicate value: {"port":1,"protocol":"TCP"}'],
      [{ ports: [{}] }, 'spec.ports[0].port: Required value'],
      [{ needs: {} }, 'spec.needs.it: Required value'],
      [
        { either: {} },
        '<nil>: Invalid value: "": "spec.either" must validate one and only one schema (oneOf). Found none valid',
      ],
      [
        { either: { left: '1', right: '2' } },
        '<nil>: Invalid value: "": "spec.either" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ];
    for (const [spec, words] of faults) {
      const reply = await client.post(widgets, widget('a', spec));
      expectFailure(reply, 422, 'Invalid', new RegExp(`^Widget.${WIDGET_GROUP} "a" is invalid: `));
      assert.ok(reply.body.message.includes(words), `expected ${words} in ${reply.body.message}`);
      assert.is(reply.body.details.kind, 'Widget');
      assert.ok(reply.body.details.causes.length > 0);
    }
  },
  'unknown fields are refused, warned of or dropped, as asked': async ({ client, widgets }) => {
    const body = widget('a', { u: 1 });
    const strict = await client.post(`${widgets}?fieldValidation=Strict`, body);
    expectFailure(
      strict,
      400,
      'BadRequest',
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.u"',
    );
    const warned = expectStatus(await client.post(widgets, body), 201);
    assert.is(String(warned.headers['warning']), '299 - "unknown field \\"spec.u\\""');
    assert.equal(warned.body.spec, { mode: 'auto' });
    await client.delete(`${widgets}/a`);
    const silent = expectStatus(await client.post(`${widgets}?fieldValidation=Ignore`, body), 201);
    assert.is(silent.headers['warning'], undefined);
  },
  'unknown fields of built-in kinds too': async ({ client, core }) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, nope: 1 };
    const reply = await client.post(`${core('configmaps')}?fieldValidation=Strict`, body);
    expectFailure(
      reply,
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nope"',
    );
  },
  'duplicate fields are refused when strict': async ({ client, widgets, namespace }) => {
    const metadata = `{"name":"a","namespace":"${namespace}"}`;
    const body = `{"apiVersion":"${WIDGET_GROUP}/v1","kind":"Widget","metadata":${metadata},"spec":{"color":"red","color":"blue"}}`;
    const reply = await client.send('POST', `${widgets}?fieldValidation=Strict`, { body });
    expectFailure(reply, 400, 'BadRequest', /strict decoding error: .*duplicate field "spec\.color"/);
  },
  'free-form parts keep what they are given': async ({ client, widgets }) => {
    const free = { any: { thing: [1, 'two', null] } };
    assert.equal((await client.post(widgets, widget('a', { free }))).body.spec.free, free);
  },
  'null becomes the default, stays where it may, or goes': async ({ client, widgets }) => {
    const { spec } = expectStatus(
      await client.post(widgets, widget('a', { mode: null, note: null, name: null })),
      201,
    ).body;
    assert.equal(spec, { mode: 'auto', note: null });
  },
  'a status is validated as well': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    const reply = await client.patch(`${widgets}/a/status`, 'merge', { status: { phase: 1 } });
    expectFailure(reply, 422, 'Invalid', /status\.phase: Invalid value: "integer":/);
  },
});
