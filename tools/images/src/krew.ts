/** meshctl as a plugin of kubectl: an archive, and the manifest by which krew installs it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { builtProgram, builtPrograms, mainFile, manifestOf, ROOT } from '@meshrelay/programs';
import type { Release } from './program.ts';
import { type TreeEntry, tarOf, textFile } from './tree.ts';

export interface BuiltPlugin {
  readonly archive: string;
  readonly manifest: string;
}

const NAME = 'meshrelay';

/**
 * Builds both from the present sources: the same sources give the same archive.
 * @param url of the folder in which the archive will be published
 */
export async function buildKrewPlugin(url: string, folder: string): Promise<BuiltPlugin> {
  const { version } = JSON.parse(manifestOf(ROOT)) as Release;
  const archiveName = `${NAME}-${version}.tar.gz`;
  const bytes = gzipSync(await tarOf(pluginTree()), { level: 9 });
  const manifest = {
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: NAME },
    spec: {
      version: `v${version}`,
      ...describeProgram(),
      caveats: 'Needs Node 24 or later as node on the PATH.',
      platforms: [
        {
          selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['darwin', 'linux'] }] },
          uri: `${url.replace(/\/+$/, '')}/${archiveName}`,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          bin: mainFile('meshctl'),
        },
      ],
    },
  };
  mkdirSync(folder, { recursive: true });
  const paths = { archive: join(folder, archiveName), manifest: join(folder, `${NAME}.yaml`) };
  writeFileSync(paths.archive, bytes);
  // JSON is YAML.
  writeFileSync(paths.manifest, `${JSON.stringify(manifest, undefined, 2)}\n`);
  return paths;
}

function pluginTree(): ReadonlyMap<string, TreeEntry> {
  const { folder, files } = builtPrograms();
  const main = mainFile('meshctl');
  const tree = new Map<string, TreeEntry>();
  for (const name of files['meshctl'] ?? [])
    tree.set(name, { type: 'file', bytes: readFileSync(join(folder, name)), executable: name === main });
  tree.set('package.json', textFile(manifestOf(ROOT)));
  for (const name of ['LICENSE', 'NOTICE']) tree.set(name, { type: 'file', bytes: readFileSync(join(ROOT, name)) });
  return tree;
}

/** From the help of the program: its description, and its commands with their summaries. */
function describeProgram(): { readonly shortDescription: string; readonly description: string } {
  const help = execFileSync(process.execPath, [builtProgram('meshctl'), '--help'], { encoding: 'utf8' });
  const [, about = '', , commands = ''] = help.split('\n\n');
  const lines = [...commands.matchAll(/^ {2}(\S+).* {2,}(\S.*)$/gm)].map(
    ([, command, summary]) => `  kubectl ${NAME} ${command}: ${summary}`,
  );
  return {
    shortDescription: 'Manage the service meshes of many clusters',
    description: `${about.replaceAll('\n', ' ')}\n\n${lines.join('\n')}\n`,
  };
}
