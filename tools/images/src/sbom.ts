/** The software bill of materials of an image, as CycloneDX 1.6. */
import type { BundledPackage } from './bundled-packages.ts';
import { type DebianPackage, libraries, RELEASE } from './debian-packages.ts';
import { NODE_VERSION } from './node-layer.ts';
import { type ImageName, REPOSITORY, type Release } from './program.ts';
import { uuidOf } from './uuid.ts';

export interface Component {
  readonly type: 'application' | 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly cpe?: string;
  readonly licenses: readonly object[];
}

/** The same components give the same text: its serial number is a hash of them, and it has no time. */
export function sbomOf(image: ImageName, release: Release, packages: readonly BundledPackage[]): string {
  const components = [...packages.map(npmComponent), nodeComponent(), ...libraries.map(debianComponent)];
  const root: Component = {
    type: 'application',
    'bom-ref': `meshrelay/${image}`,
    name: `meshrelay/${image}`,
    version: release.version,
    purl: `pkg:oci/${image}?repository_url=${REPOSITORY}/${image}&tag=${release.version}`,
    licenses: licensesOf(release.license),
  };
  const content = {
    version: 1,
    metadata: { component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) }],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify([content, release.gitHead]))}`;
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, ...content }, undefined, 2)}\n`;
}

export function npmComponent({ name, version, licence }: BundledPackage): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: licensesOf(licence) };
}

function nodeComponent(): Component {
  const purl = `pkg:generic/node@${NODE_VERSION}`;
  const cpe = `cpe:2.3:a:nodejs:node.js:${NODE_VERSION}:*:*:*:*:*:*:*`;
  const licenses = licensesOf('MIT');
  return { type: 'application', 'bom-ref': purl, name: 'node', version: NODE_VERSION, purl, cpe, licenses };
}

function debianComponent({ name, version, architecture, licence }: DebianPackage): Component {
  const distro = `debian-${RELEASE.version}`;
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${distro}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: licensesOf(licence) };
}

function licensesOf(spdx: string): readonly object[] {
  return [/[ ()]/.test(spdx) ? { expression: spdx } : { license: { id: spdx } }];
}
