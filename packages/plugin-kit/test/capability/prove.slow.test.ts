/** Claims that hold are proven, and claims that do not are found out. */
import { type CapabilityTable, type MeshPlugin, VIEW_FIELDS, type ViewField } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { capabilityChecks } from '../../src/capability/capability-checks.ts';
import { type CapabilityProof, capabilityMatrix, proveCapability } from '../../src/mod.ts';
import { capabilities, paperFixture, paperPlugin } from '../support/paper-mesh.ts';

function proof(field: ViewField, table: Partial<CapabilityTable> = {}, changes: Partial<MeshPlugin> = {}) {
  const plugin = paperPlugin({ capabilities: capabilities(table), ...changes });
  return proveCapability({ plugin, fixture: paperFixture }, field);
}

const ALL: readonly CapabilityProof[] = VIEW_FIELDS.map((field) => proof(field));

test('a mesh that carries everything proves it', () => {
  assert.equal(
    ALL.filter(({ problem }) => problem !== undefined),
    [],
  );
});

// Core does it for every mesh: nobody can but carry it.
const OF_CORE: readonly ViewField[] = ['source.clusters'];

for (const field of VIEW_FIELDS.filter((one) => !OF_CORE.includes(one))) {
  test(`${field} may be claimed unsupported and degraded, as core sees to both`, () => {
    assert.is(proof(field, { [field]: { unsupported: 'no paper' } }).problem, undefined);
    assert.is(proof(field, { [field]: { degraded: 'blots' } }).problem, undefined);
  });
}

test('a native field that changes nothing is found out', () => {
  const { problem = '' } = proof('route.timeout', {}, { translateDestination: () => {} });
  assert.match(problem, 'no object differs');
});

test('a field that is carried in part and changes nothing is found out', () => {
  const table = { 'route.timeout': { degraded: 'only in jest' } } as const;
  const { problem = '' } = proof('route.timeout', table, { translateDestination: () => {} });
  assert.match(problem, 'it is "degraded", but no object differs');
});

test('a claim about nothing is found out', () => {
  const table = capabilities({ 'route.timeouts': 'native' } as Partial<CapabilityTable>);
  const [check] = capabilityChecks({ plugin: paperPlugin({ capabilities: table }), fixture: paperFixture });
  assert.throws(() => check?.run(), /has route\.timeouts, which is no field of the views; is route\.timeout meant\?/);
});

test('a native field about which the policy is warned is found out', () => {
  const sound = paperPlugin();
  const { problem = '' } = proof(
    'route.timeout',
    {},
    {
      translateDestination(view, out, settings) {
        sound.translateDestination?.(view, out, settings);
        for (const policy of view.routes.flatMap(({ from }) => from))
          out.report(policy, { code: 'ROUNDED', severity: 'warning', message: 'not quite' });
      },
    },
  );
  assert.match(problem, 'ROUNDED not quite');
});

test('what is always so must change nothing', () => {
  assert.match(
    proof('mesh.strictMtls', { 'mesh.strictMtls': { always: 'so' } }).problem ?? '',
    'changes objects: Sheet',
  );
  const silent = proof('mesh.strictMtls', { 'mesh.strictMtls': { always: 'so' } }, { translateMesh: () => {} });
  assert.is(silent.problem, undefined);
});

test('the matrix says what was proven, and each note once', () => {
  const reported = new Map<ViewField, CapabilityProof>([
    ['route.fault', proof('route.fault', { 'route.fault': { unsupported: 'paper is patient' } })],
    ['route.cors', proof('route.cors', { 'route.cors': { unsupported: 'paper is patient' } })],
  ]);
  const text = capabilityMatrix([
    { type: 'paper', name: 'Paper', proofs: ALL.map((one) => reported.get(one.field) ?? one) },
  ]);
  assert.match(text, '| `route.timeout` | yes: Sheet |');
  for (const field of ['route.fault', 'route.cors']) assert.match(text, `| \`${field}\` | no[^paper-route.fault] |`);
  assert.match(text, '\n[^paper-route.fault]: Paper is patient.\n[^paper-mesh.trust.shared]: By certificates');
});

test('nothing unproven is published', () => {
  const lie = proof('route.timeout', {}, { translateDestination: () => {} });
  const proofs = ALL.map((one) => (one.field === lie.field ? lie : one));
  assert.throws(
    () => capabilityMatrix([{ type: 'paper', name: 'Paper', proofs }]),
    /Paper, route.timeout: it is "native"/,
  );
  assert.throws(
    () => capabilityMatrix([{ type: 'paper', name: 'Paper', proofs: ALL.slice(1) }]),
    /has no proof for match.uri.exact/,
  );
});

test.run();
