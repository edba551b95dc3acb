/** The SBOM of a release contains those of its parts. */
import { assert, test } from '@meshrelay/testing';
import { releaseSbom, type Sbom } from '../../release/sbom.ts';

const component = (name: string) => ({ 'bom-ref': name, name });

function sbomOf(name: string, ...libraries: readonly string[]): Sbom {
  return {
    metadata: { component: component(name) },
    components: libraries.map(component),
    dependencies: [{ ref: name, dependsOn: libraries }],
  };
}

const PARTS = {
  version: '0.1.0',
  commit: 'abc',
  sboms: [sbomOf('cli', 'zod'), sbomOf('cli', 'yaml'), sbomOf('image', 'zod', 'node')],
  others: [component('chart')],
};

test('each part and library is listed once, with what it needs', () => {
  const { metadata, components, dependencies } = JSON.parse(releaseSbom(PARTS));
  assert.is(metadata.component['bom-ref'], 'meshrelay@0.1.0');
  assert.equal(
    components.map(({ name }: { readonly name: string }) => name),
    ['chart', 'cli', 'image', 'node', 'yaml', 'zod'],
  );
  assert.equal(dependencies, [
    { ref: 'cli', dependsOn: ['yaml', 'zod'] },
    { ref: 'image', dependsOn: ['node', 'zod'] },
    { ref: 'meshrelay@0.1.0', dependsOn: ['chart', 'cli', 'image'] },
  ]);
});

test('the same parts give the same text, and another commit another serial number', () => {
  assert.is(releaseSbom(PARTS), releaseSbom({ ...PARTS }));
  const { serialNumber } = JSON.parse(releaseSbom(PARTS));
  assert.match(serialNumber, /^urn:uuid:[0-9a-f-]{36}$/);
  assert.is.not(serialNumber, JSON.parse(releaseSbom({ ...PARTS, commit: 'def' })).serialNumber);
});

test.run();
