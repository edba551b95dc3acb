/** The layer of libraries: what the Node binary needs of Debian, certificates, users. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { libraries, RELEASE } from './debian-packages.ts';
import { type Tree, type TreeEntry, textFile } from './tree.ts';

/** The user of the programs. Kubernetes needs the number; the name is for people. */
export const USER = 65_532;

const GLIBC = 'lib/x86_64-linux-gnu';
/** The parts of glibc that Node and native modules load; its converters of character sets stay out. */
const GLIBC_FILES = [
  'ld-linux-x86-64.so.2',
  ...['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0', 'libresolv.so.2', 'librt.so.1'],
  ...['libnss_dns.so.2', 'libnss_files.so.2'],
].map((name) => `${GLIBC}/${name}`);
const FILES = [
  ...GLIBC_FILES,
  'lib64/ld-linux-x86-64.so.2',
  `${GLIBC}/libgcc_s.so.1`,
  'usr/lib/x86_64-linux-gnu/libstdc++.so.6',
];
const CERTIFICATES = 'usr/share/ca-certificates/mozilla';

/** @param unpacked the folder with Debian's packages */
export function librariesLayer(unpacked: string): Tree {
  const tree = new Map<string, TreeEntry>();
  for (const path of FILES) copyWithTarget(unpacked, path, tree);
  tree.set('etc/ssl/certs/ca-certificates.crt', textFile(certificates(join(unpacked, CERTIFICATES))));
  for (const { name } of libraries) copyLicence(unpacked, name, tree);
  // Scanners for known vulnerabilities read the release and the packages from these.
  tree.set('etc/os-release', textFile(osRelease()));
  for (const each of libraries)
    tree.set(
      `var/lib/dpkg/status.d/${each.name}`,
      textFile(`Package: ${each.name}\nVersion: ${each.version}\nArchitecture: ${each.architecture}\n`),
    );
  tree.set(
    'etc/passwd',
    textFile(`root:x:0:0:root:/root:/sbin/nologin\nmeshrelay:x:${USER}:${USER}::/tmp:/sbin/nologin\n`),
  );
  tree.set('etc/group', textFile(`root:x:0:\nmeshrelay:x:${USER}:\n`));
  tree.set('etc/nsswitch.conf', textFile('hosts: files dns\n'));
  tree.set('tmp', { type: 'directory', mode: 0o1777 });
  return tree;
}

/** A library is usually a link to the file whose name has its version. */
function copyWithTarget(unpacked: string, path: string, tree: Map<string, TreeEntry>): void {
  const from = join(unpacked, path);
  if (!lstatSync(from).isSymbolicLink()) {
    const executable = basename(path).startsWith('ld-');
    tree.set(path, { type: 'file', bytes: readFileSync(from), executable });
    return;
  }
  const target = readlinkSync(from);
  tree.set(path, { type: 'symlink', target });
  if (!target.startsWith('/')) copyWithTarget(unpacked, join(path, '..', target), tree);
}

/** All certificates in one file, as update-ca-certificates writes it. */
function certificates(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.crt'));
  return files
    .sort()
    .map((name) => `${readFileSync(join(folder, name), 'utf8').trimEnd()}\n`)
    .join('');
}

function copyLicence(unpacked: string, name: string, tree: Map<string, TreeEntry>): void {
  const folder = `usr/share/doc/${name}`;
  if (lstatSync(join(unpacked, folder)).isSymbolicLink())
    tree.set(folder, { type: 'symlink', target: readlinkSync(join(unpacked, folder)) });
  else tree.set(`${folder}/copyright`, { type: 'file', bytes: readFileSync(join(unpacked, folder, 'copyright')) });
}

function osRelease(): string {
  const { version, codename } = RELEASE;
  return `PRETTY_NAME="Meshrelay on Debian ${version} libraries"\nID=debian\nVERSION_ID="${version}"\nVERSION_CODENAME=${codename}\n`;
}

/** Runs a program of Debian's packages with their libraries rather than those of this machine. */
export function runUnpacked(unpacked: string, program: string, args: readonly string[]): void {
  const loader = join(unpacked, GLIBC, 'ld-linux-x86-64.so.2');
  const path = [GLIBC, 'usr/lib/x86_64-linux-gnu'].map((folder) => join(unpacked, folder)).join(':');
  execFileSync(loader, ['--library-path', path, join(unpacked, program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
