/**
 * One endpoint changes in a cluster of many Services and many Envoys, compared with the same bytes on the same number
 * of bare streams.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { create, discovery, toBinary } from '@meshrelay/envoy-api';
import { adsService, Callers, listenForProxies, Proxies } from '@meshrelay/envoy-api/server';
import { XDS_TYPES, XdsCatalog } from '@meshrelay/envoy-api/xds';
import { headerBytes } from '@meshrelay/relay-protocol';
import { type BareCall, type BareServer, serveBare } from '../bare-grpc.ts';
import { median } from '../measure.ts';
import { createAuthority } from '../relay/authority.ts';
import { clusterOf, endpointsOf, nameOf, workload } from '../xds/configuration.ts';
import { Counts } from '../xds/counts.ts';
import { Envoys } from '../xds/envoys.ts';
import { BARE_METHOD } from '../xds/orders.ts';

/** CPU of the serving process, in milliseconds: medians of the rounds. */
export interface Compared {
  /** One change sent to all Envoys. */
  readonly changeMs: number;
  /** The same bytes written on the same number of bare streams. */
  readonly bareMs: number;
  /** One over the other: the median of the rounds' ratios. */
  readonly ratio: number;
}

export interface XdsResult {
  readonly reported: Compared;
  /** The same, with all returning acknowledgements; those of bare streams have the same length, and are ignored. */
  readonly acknowledged: Compared;
  /** Of all changes, for each Envoy. */
  readonly messagesPerChange: number;
  readonly resourcesPerChange: number;
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

export async function xdsChanges({
  clusters,
  envoys: count,
  changes,
  rounds,
}: {
  readonly clusters: number;
  readonly envoys: number;
  readonly changes: number;
  readonly rounds: number;
}): Promise<XdsResult> {
  const { roots, server: tls } = await createAuthority();
  const catalog = new XdsCatalog({ hash });
  for (let service = 0; service < clusters; service++) {
    catalog.set(`cluster-${service}`, clusterOf(service));
    catalog.set(`endpoints-${service}`, endpointsOf(service, 1));
  }
  catalog.set('web', workload(clusters));
  const answers = new Counts();
  // Called with each acknowledgement.
  const proxies = new Proxies({ onChanged: () => answers.add() });
  const review = async () => ({ namespace: 'shop', serviceAccount: 'web' });
  const fail = (error: unknown): void => {
    throw error;
  };
  await using served = await listenForProxies({
    listen: { host: '127.0.0.1', port: 0 },
    plain: [],
    http: (_, response) => response.writeHead(404).end(),
    headerBytes,
    secure: {
      services: [adsService({ catalog, proxies, hash, callers: new Callers({ review }), onError: fail })],
      certificate: () => ({ cert: tls.certificate, key: tls.key }),
    },
    limits: { perSource: 10_000 },
  });
  const bare = await startBare(tls);
  await using envoys = new Envoys({ roots });
  await using watched = new Envoys({ roots });
  const { messages: first } = await envoys.does({ order: 'envoys', port: served.port, envoys: count, clusters });
  await watched.does({ order: 'bare', port: bare.port, envoys: count });
  await answers.next(first);
  await bare.answers.next(count);
  const measured: Record<'reported' | 'acknowledged', Array<{ change: number; bare: number }>> = {
    reported: [],
    acknowledged: [],
  };
  let [messages, resources, port] = [0, 0, 1];
  for (let round = 0; round <= rounds; round++) {
    for (const [way, when] of [
      ['reported', 'later'],
      ['acknowledged', 'at once'],
    ] as const) {
      for (const fleet of [envoys, watched]) await fleet.does({ order: 'acknowledge', when });
      // Delayed acknowledgements belong to the previous round, and are not counted.
      const answered = when === 'at once' ? changes * count : 0;
      for (const each of [answers, bare.answers]) await each.next(answered);
      const services = Array.from({ length: changes }, (_, at) => (round * changes + at) % clusters);
      port++;
      const change = await cpu(async () => {
        for (const service of services) {
          catalog.set(`endpoints-${service}`, endpointsOf(service, port));
          // Changes of one turn are sent together.
          await turn();
        }
        const received = await envoys.does({ order: 'receive', messages: changes * count });
        await answers.next(answered);
        messages += received.messages;
        resources += received.resources;
      });
      const bytes = services.map((service) => responseOf(catalog, service));
      const raw = await cpu(async () => {
        for (const each of bytes) {
          bare.write(each);
          await turn();
        }
        await watched.does({ order: 'receive', messages: changes * count });
        await bare.answers.next(answered);
      });
      // The first round warms up the compiler.
      if (round > 0) measured[way].push({ change, bare: raw });
    }
  }
  bare.end();
  const compared = (of: (typeof measured)['reported']): Compared => ({
    changeMs: median(of.map(({ change }) => change)) / changes,
    bareMs: median(of.map((each) => each.bare)) / changes,
    ratio: median(of.map((each) => each.change / each.bare)),
  });
  const all = 2 * (rounds + 1) * changes * count;
  return {
    reported: compared(measured.reported),
    acknowledged: compared(measured.acknowledged),
    messagesPerChange: messages / all,
    resourcesPerChange: resources / all,
  };
}

/** The encoded endpoints of a Service, as sent to an Envoy. */
function responseOf(catalog: XdsCatalog, service: number): Buffer {
  const type = 'clusterLoadAssignment';
  const resource = catalog.get({ type, name: nameOf(service) });
  if (resource === undefined) throw new Error(`${nameOf(service)} is not served`);
  const { name, version, any } = resource;
  const schema = discovery.DeltaDiscoveryResponseSchema;
  const { typeUrl } = XDS_TYPES[type];
  return Buffer.from(
    toBinary(schema, create(schema, { typeUrl, nonce: '100', resources: [{ name, version, resource: any }] })),
  );
}

interface Bare extends BareServer {
  /** All received messages. */
  readonly answers: Counts;
  /** Writes on all streams. */
  write(bytes: Buffer): void;
}

async function startBare({ key, certificate }: { readonly key: string; readonly certificate: string }): Promise<Bare> {
  const calls: BareCall[] = [];
  const answers = new Counts();
  const server = await serveBare(
    { key, certificate },
    {
      [BARE_METHOD]: (call) => {
        call.on('data', () => answers.add());
        call.sendMetadata(call.metadata);
        calls.push(call);
      },
    },
  );
  const write = (bytes: Buffer): void => {
    for (const call of calls) call.write(bytes);
  };
  return { ...server, answers, write };
}

async function cpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
