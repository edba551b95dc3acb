/** containerd, runc, the CNI plugins and iptables: Debian's, unpacked into the cache and not installed. */
import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type PinnedPackage, unpackPinnedPackages } from '@meshrelay/testing/debian';
import { fetchOnce } from '@meshrelay/testing/fetch-once';

const PACKAGES: readonly PinnedPackage[] = [
  {
    name: 'conntrack',
    version: '1:1.4.7-1+b2',
    sha256: '9827d60b60c1b5673e97f34db48d9db79e9f9ef807ee998320f6dafc80711e82',
  },
  {
    name: 'containerd',
    version: '1.6.20~ds1-1+deb12u3',
    sha256: '8669d264eeb0fcdb4a0b1ba436ab88ec5dafde4a66e1278ec279d830db4c2216',
  },
  {
    name: 'containernetworking-plugins',
    version: '1.1.1+ds1-3+b5',
    sha256: '4cac8143474d1249b19f7b0e80b8d0daaa6dfdaa8bd514bc468d38d4a108099f',
  },
  {
    name: 'iptables',
    version: '1.8.9-2',
    sha256: '2928d3ca6ca8a3dc3f423f6752822b1f3614a5ba609ff7806bcba4449ffe90e1',
  },
  {
    name: 'libip4tc2',
    version: '1.8.9-2',
    sha256: 'f2c48b367f9ec13f9aa577e7ccf81b371ce5d5fe22dddf9d7aa99f1e0bb7cfc4',
  },
  {
    name: 'libip6tc2',
    version: '1.8.9-2',
    sha256: 'be88db3dfa2fe3345ea343207f7c75345602686121e579023d021c348b9b4f4d',
  },
  {
    name: 'libnetfilter-conntrack3',
    version: '1.0.9-3',
    sha256: '65f1539238f60fcc85d115acd640474f45c77bfddcf402eb7d75965a783c2bc8',
  },
  {
    name: 'libnfnetlink0',
    version: '1.0.2-2',
    sha256: 'ae5cbba417ea48f34c1f72c27e8146a81f20614c1296bca2cd7234c8215fddcc',
  },
  {
    name: 'libnftnl11',
    version: '1.2.4-2',
    sha256: '9e619e1470a1915264e906020f3bfc046fd8458043b1342686d997b5078213af',
  },
  {
    name: 'libseccomp2',
    version: '2.5.4-1+deb12u1',
    sha256: '108fe67957ca7cf9ba51d801118a1b37d404bea7b6e365025cd00779e9eca38d',
  },
  {
    name: 'libxtables12',
    version: '1.8.9-2',
    sha256: 'cb841d66950a43af4a398625313d2f3da9065299c9738538de6c2c3495857040',
  },
  {
    name: 'runc',
    version: '1.1.5+ds1-1+deb12u1',
    sha256: 'a00351f8c0318de0b424ecf5cd0fdb69880a89f3511cae4f6fff7de3e57881c5',
  },
];

/** Debian's release that has these versions. */
const RELEASE = 'bookworm';
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';

/** Where the programs are, and how they find their parts. */
export interface DebianPrograms {
  /** The folder of the CNI plugins. */
  readonly cni: string;
  /** PATH, and where programs look for their libraries. */
  readonly env: Readonly<Record<string, string>>;
}

/** Fetches them once. @throws Error if this machine cannot fetch them, or a package is not the expected one */
export async function debianPrograms(print: (line: string) => void): Promise<DebianPrograms> {
  const digest = createHash('sha256').update(JSON.stringify(PACKAGES)).digest('hex').slice(0, 16);
  const folder = await fetchOnce(`node-programs-${digest}`, async (work) => {
    print('fetching containerd, runc, CNI plugins and iptables from Debian');
    const pinnedIn = 'e2e/clusters/lab/debian-programs.ts';
    const root = await unpackPinnedPackages({ work, release: RELEASE, packages: PACKAGES, pinnedIn });
    linkIptables(join(root, 'usr/sbin'));
    return root;
  });
  return {
    cni: join(folder, 'usr/lib/cni'),
    env: {
      PATH: [join(folder, 'usr/sbin'), join(folder, 'usr/bin'), process.env['PATH'] ?? ''].join(':'),
      LD_LIBRARY_PATH: join(folder, LIBRARIES),
      XTABLES_LIBDIR: join(folder, LIBRARIES, 'xtables'),
    },
  };
}

/** Debian makes these links when the package is installed. */
function linkIptables(folder: string): void {
  for (const family of ['iptables', 'ip6tables'])
    for (const command of ['', '-save', '-restore'])
      symlinkSync('xtables-nft-multi', join(folder, `${family}${command}`));
}
