/** Fetches and builds what the story needs: programs, images, charts of an earlier commit. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildImages, writeImage } from '@meshrelay/images';
import { builtProgram, ROOT } from '@meshrelay/programs';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../../src/go-folder.ts';
import { helmProgram } from '../../src/helm.ts';
import { istioCrds } from '../../src/mesh-crds.ts';
import { run } from '../lab/command.ts';
import { DNS_IMAGE } from '../lab/dns.ts';
import { PAUSE_IMAGE } from '../lab/node-files.ts';
import { programImage } from '../lab/program-image.ts';
import { clusterPrograms } from '../lab/programs.ts';
import { redisImage } from '../lab/redis-image.ts';
import { ISTIOD_IMAGE } from './names.ts';
import type { Prepared } from './plan.ts';

/** The commit whose charts are upgraded: the first whose permissions are enough for today's images. */
const EARLIER = '14249bc7';

/** @throws Error with the output of what failed */
export async function prepare(folder: string, print: (line: string) => void): Promise<Prepared> {
  const programs = await clusterPrograms(print);
  const istiod = await goProgram(goFolder('pilot-discovery'), { print });
  const helm = await helmProgram();
  const [server, agent] = await buildImages({ images: ['mgmt-server', 'agent'], folder: join(ROOT, 'dist/images') });
  if (server === undefined || agent === undefined) throw new Error('the images were not built');
  const images = join(folder, 'images');
  return {
    programs,
    helm,
    meshctl: builtProgram('meshctl'),
    clusterImages: [
      await writeImage(programImage(PAUSE_IMAGE, programs.pause, '65535'), images),
      await writeImage(programImage(DNS_IMAGE, programs.coredns), images),
    ],
    images: { 'mgmt-server': server.file, agent: agent.file },
    istiod: await writeImage(programImage(ISTIOD_IMAGE, istiod), images),
    redis: await writeImage(await redisImage(print), images),
    istioCrds: await istioCrds(),
    earlierCharts: await chartsOf(EARLIER, join(folder, 'earlier')),
  };
}

async function chartsOf(commit: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'charts.tar');
  await run('git', ['archive', '--output', archive, commit, 'charts'], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  return join(folder, 'charts');
}
