/** Correct claims are proven, and wrong claims are detected. */
import { type CapabilityTable, type MeshPlugin, VIEW_FIELDS, type ViewField } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { capabilityChecks } from '../../src/capability/capability-checks.ts';
import { type CapabilityProof, capabilityMatrix, proveCapability } from '../../src/mod.ts';
import { capabilities, paperFixture, paperPlugin } from '../support/paper-mesh.ts';

function proof(field: ViewField, table: Partial<CapabilityTable> = {}, changes: Partial<MeshPlugin> = {}) {
  const plugin = paperPlugin({ capabilities: capabilities(table), ...changes });
  return proveCapability({ plugin, fixture: paperFixture }, field);
}

const ALL: readonly CapabilityProof[] = VIEW_FIELDS.map((field) => proof(field));

test('a mesh that supports all fields proves it', () => {
  assert.equal(
    ALL.filter(({ problem }) => problem !== undefined),
    [],
  );
});

// Core implements it for every mesh, so every mesh supports it.
const OF_CORE: readonly ViewField[] = ['source.clusters'];

for (const field of VIEW_FIELDS.filter((one) => !OF_CORE.includes(one))) {
  test(`${field} may be claimed unsupported and degraded, as core handles both`, () => {
    assert.is(proof(field, { [field]: { unsupported: 'no paper' } }).problem, undefined);
    assert.is(proof(field, { [field]: { degraded: 'blots' } }).problem, undefined);
  });
}

test('a native field without an effect is detected', () => {
  const { problem = '' } = proof('route.timeout', {}, { translateDestination: () => {} });
  assert.match(problem, 'no object differs');
});

test('a degraded field without an effect is detected', () => {
  const table = { 'route.timeout': { degraded: 'only in jest' } } as const;
  const { problem = '' } = proof('route.timeout', table, { translateDestination: () => {} });
  assert.match(problem, 'it is "degraded", but no object differs');
});

test('a claim about an unknown field is detected', () => {
  const table = capabilities({ 'route.timeouts': 'native' } as Partial<CapabilityTable>);
  const [check] = capabilityChecks({ plugin: paperPlugin({ capabilities: table }), fixture: paperFixture });
  assert.throws(
    () => check?.run(),
    /has route\.timeouts, which is not a field of the views; is route\.timeout meant\?/,
  );
});

test('a native field with a warning to the policy is detected', () => {
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

test('fixed behaviour must change nothing', () => {
  assert.match(
    proof('mesh.strictMtls', { 'mesh.strictMtls': { always: 'so' } }).problem ?? '',
    'changes objects: Sheet',
  );
  const silent = proof('mesh.strictMtls', { 'mesh.strictMtls': { always: 'so' } }, { translateMesh: () => {} });
  assert.is(silent.problem, undefined);
});

test('the matrix contains all proofs, and each note once', () => {
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

test('unproven claims are not published', () => {
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
