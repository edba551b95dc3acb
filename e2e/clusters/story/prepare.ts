/** Fetches and builds what the story needs: programs, images, charts of an earlier commit. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuiltImage, buildImages, writeImage } from '@meshrelay/images';
import { builtProgram, ROOT } from '@meshrelay/programs';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../../src/go-folder.ts';
import { helmProgram } from '../../src/helm.ts';
import { istioCrds } from '../../src/mesh-crds.ts';
import { run } from '../lab/command.ts';
import { DNS_IMAGE } from '../lab/dns.ts';
import { PAUSE_IMAGE } from '../lab/kubelet-files.ts';
import { programImage } from '../lab/program-image.ts';
import { clusterPrograms } from '../lab/programs.ts';
import { proxyImage } from '../lab/proxy-image.ts';
import { redisImage } from '../lab/redis-image.ts';
import { ISTIOD_IMAGE } from './names.ts';
import type { Prepared } from './plan.ts';

/**
 * The charts that are upgraded: those of commit 14249bc7, the first whose permissions are enough for today's images. A
 * checkout may lack the history, so they are a file:
 * `git archive 14249bc7 charts/meshrelay charts/meshrelay-agent | gzip -9n`.
 */
const EARLIER_CHARTS = fileURLToPath(new URL('earlier-charts.tar.gz', import.meta.url));

/** @throws Error with the output of what failed */
export async function prepare(folder: string, print: (line: string) => void): Promise<Prepared> {
  const programs = await clusterPrograms(print);
  const istiod = await goProgram(goFolder('pilot-discovery'), { print });
  const helm = await helmProgram();
  const [server, agent] = await buildImages({ images: ['mgmt-server', 'agent'], folder: join(ROOT, 'dist/images') });
  if (server === undefined || agent === undefined) throw new Error('the images were not built');
  const images = join(folder, 'images');
  mkdirSync(images, { recursive: true });
  return {
    programs,
    helm,
    meshctl: builtProgram('meshctl'),
    clusterImages: [
      await writeImage(programImage(PAUSE_IMAGE, programs.pause, '65535'), images),
      await writeImage(programImage(DNS_IMAGE, programs.coredns), images),
    ],
    images: { 'mgmt-server': server.file, agent: agent.file },
    agentImage: agent.reference,
    istiod: await writeImage(programImage(ISTIOD_IMAGE, istiod), images),
    proxy: await writeImage(await proxyImage(print), images),
    redis: await writeImage(await redisImage(print), images),
    istioCrds: await istioCrds(),
    earlierCharts: await earlierCharts(join(folder, 'earlier'), { meshrelay: server, 'meshrelay-agent': agent }),
  };
}

/** They install the images of this checkout. */
async function earlierCharts(folder: string, images: Readonly<Record<string, BuiltImage>>): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', EARLIER_CHARTS, '-C', folder]);
  const charts = join(folder, 'charts');
  for (const [chart, { reference }] of Object.entries(images)) {
    const [repository = '', version = ''] = reference.split(':');
    replaceLine(join(charts, chart, 'Chart.yaml'), /^appVersion: .*$/m, `appVersion: ${version}`);
    replaceLine(join(charts, chart, 'values.yaml'), /^ {2}repository: .*$/m, `  repository: ${repository}`);
  }
  return charts;
}

function replaceLine(file: string, line: RegExp, by: string): void {
  const text = readFileSync(file, 'utf8');
  if (!line.test(text)) throw new Error(`${file} has no line ${line}`);
  writeFileSync(file, text.replace(line, by));
}
