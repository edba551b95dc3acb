/** Debian's packages, of which images have a few files and the assembly uses one tool. */
import { createHash } from 'node:crypto';
import { type PinnedPackage, unpackPinnedPackages } from '@meshrelay/testing/debian';
import { fetchOnce } from '@meshrelay/testing/fetch-once';

export interface DebianPackage extends PinnedPackage {
  /** As an SPDX expression. */
  readonly licence: string;
}

/** Debian 12, which the oldest glibc that Node supports predates. */
export const RELEASE = { codename: 'bookworm', version: '12' } as const;

const GCC = 'GPL-3.0-or-later WITH GCC-exception-3.1';

/** The libraries that the Node binary needs, and certificates. A change here changes the digest of every image. */
export const libraries: readonly DebianPackage[] = [
  {
    name: 'ca-certificates',
    version: '20250419~deb12u2',
    architecture: 'all',
    sha256: 'b9f76b5271a7ac373fd5e7e1b5b826a71ddd702b42a0d104955ecb1acfffc94b',
    licence: 'MPL-2.0',
  },
  {
    // The licence of the two packages below.
    name: 'gcc-12-base',
    version: '12.2.0-14+deb12u1',
    architecture: 'amd64',
    sha256: '1896a2aacf4ad681ff5eacc24a5b0ca4d5d9c9b9c9e4b6de5197bc1e116ea619',
    licence: GCC,
  },
  {
    name: 'libc6',
    version: '2.36-9+deb12u14',
    architecture: 'amd64',
    sha256: 'ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf',
    licence: 'LGPL-2.1-or-later',
  },
  {
    name: 'libgcc-s1',
    version: '12.2.0-14+deb12u1',
    architecture: 'amd64',
    sha256: '3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7',
    licence: GCC,
  },
  {
    name: 'libstdc++6',
    version: '12.2.0-14+deb12u1',
    architecture: 'amd64',
    sha256: '5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d',
    licence: GCC,
  },
];

/** `strip`, with its libraries: it runs with the libraries above, whatever this machine has. */
export const stripTool: readonly DebianPackage[] = [
  {
    name: 'binutils-x86-64-linux-gnu',
    version: '2.40-2',
    architecture: 'amd64',
    sha256: '2d7ea8a570d768224d7f2424abbe6f373d2154865a1fa7f56c80d43ecf492521',
    licence: 'GPL-3.0-or-later',
  },
  {
    name: 'libbinutils',
    version: '2.40-2',
    architecture: 'amd64',
    sha256: 'fcf55b99e5f8a78f3c8ce9b6957f1024f394cf20c196b100d308a57e43547710',
    licence: 'GPL-3.0-or-later',
  },
  {
    name: 'libzstd1',
    version: '1.5.4+dfsg2-5',
    architecture: 'amd64',
    sha256: '6315b5ac38b724a710fb96bf1042019398cb656718b1522279a5185ed39318fa',
    licence: 'BSD-3-Clause',
  },
  {
    name: 'zlib1g',
    version: '1:1.2.13.dfsg-1',
    architecture: 'amd64',
    sha256: 'd7dd1d1411fedf27f5e27650a6eff20ef294077b568f4c8c5e51466dc7c08ce4',
    licence: 'Zlib',
  },
];

/**
 * All packages above, unpacked into one folder, fetched once.
 * @throws Error that names the package that cannot be fetched, and what to do
 */
export function unpackedPackages(): Promise<string> {
  const packages = [...libraries, ...stripTool];
  const key = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 16);
  return fetchOnce(`debian-for-images-${key}`, (work) =>
    unpackPinnedPackages({
      work,
      release: RELEASE.codename,
      packages,
      pinnedIn: 'tools/images/src/debian-packages.ts',
    }),
  );
}
