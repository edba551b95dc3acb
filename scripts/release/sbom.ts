/** The software bill of materials of a release, as CycloneDX 1.6: what is in its packages, charts and images. */
import { uuidOf } from '@meshrelay/images';

export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

export interface ReleaseParts {
  readonly version: string;
  readonly commit: string;
  /** One for each package and image: its component, and what that contains. */
  readonly sboms: readonly Sbom[];
  /** Parts without libraries. */
  readonly others: readonly Component[];
}

/** It has no time, and its serial number is a hash of the rest: two builds of a commit give the same text. */
export function releaseSbom({ version, commit, sboms, others }: ReleaseParts): string {
  const component = {
    type: 'application',
    'bom-ref': `meshrelay@${version}`,
    name: 'meshrelay',
    version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
  };
  const parts = [...sboms.map(({ metadata }) => metadata.component), ...others];
  const components = byRef([...sboms.flatMap((sbom) => sbom.components), ...parts]);
  const dependsOn = new Map<string, Set<string>>();
  const add = (ref: string, refs: Iterable<string>): void => {
    dependsOn.set(ref, (dependsOn.get(ref) ?? new Set<string>()).union(new Set(refs)));
  };
  for (const { ref, dependsOn: refs = [] } of sboms.flatMap((sbom) => sbom.dependencies)) add(ref, refs);
  add(
    component['bom-ref'],
    parts.map((part) => part['bom-ref']),
  );
  const content = {
    version: 1,
    metadata: { component },
    components,
    dependencies: [...dependsOn]
      .map(([ref, refs]) => ({ ref, dependsOn: [...refs].sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify([content, commit]))}`;
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, ...content }, undefined, 2)}\n`;
}

/** Each once, in order; the last of those with one reference. */
function byRef(components: readonly Component[]): readonly Component[] {
  const unique = new Map(components.map((component) => [component['bom-ref'], component]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
}
