/** The programs that have an image. */

export type ImageName = 'access-log-sink' | 'agent' | 'meshctl' | 'mgmt-server';

/** Their titles, as labels show them. */
export const imagePrograms: Readonly<Record<ImageName, string>> = {
  'access-log-sink': 'Meshrelay access log sink',
  agent: 'Meshrelay agent',
  meshctl: 'Meshrelay command line',
  'mgmt-server': 'Meshrelay management server',
};

/**
 * Options of Node for each program. The young generation of the agent is limited: by default it grows to 128 MiB on a
 * machine with much memory, and its collections are then rarer, but the agent no faster (bench/RESULTS.md, cluster).
 */
export const nodeOptions: Readonly<Record<ImageName, readonly string[]>> = {
  'access-log-sink': [],
  agent: ['--max-semi-space-size=16'],
  meshctl: [],
  'mgmt-server': [],
};

/** What an image says about itself. */
export interface Release {
  readonly version: string;
  /** The commit; with `-dirty` if files differ from it. */
  readonly gitHead: string;
  readonly license: string;
}

/** Where the images of releases are; the charts name it too. */
export const REPOSITORY = 'ghcr.io/meshrelay';

/** The folder of a program in its image, where images/NAME.Containerfile puts it too. */
export const PROGRAM_FOLDER = 'opt/meshrelay';
