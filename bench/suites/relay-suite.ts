/** Measurements of the relay: its cost, its dependents' cost, and the latency of a change. */
import type { Spread } from '../cases/propagation.ts';
import { runCase } from '../process/child.ts';
import { atLeast, atMost, type Figure, forInformation, mustBe } from '../results/report.ts';

interface Suite {
  readonly quick: boolean;
  /** Called before each case. */
  readonly progress: (what: string) => void;
}

/** The cost of the relay compared with bare grpc-js. */
export async function relays({ quick, progress }: Suite): Promise<Figure[]> {
  const figures: Figure[] = [];
  const sizes = [
    { bytes: 300, count: 20_000, least: 0.7 },
    { bytes: 16 * 1024, count: 2_000, least: 0.8 },
    { bytes: 256 * 1024, count: 200, least: 0.9 },
  ];
  for (const { bytes, count, least } of sizes) {
    progress(`relay, objects of ${bytes} bytes`);
    const { ratio, relayMs, echoMs } = await runCase('relayThroughput', { bytes, count, rounds: quick ? 3 : 7 });
    const of = `relay, objects of ${bytes} bytes`;
    figures.push(
      atLeast(`${of}: per CPU, over raw grpc-js echo`, ratio, least),
      forInformation(`${of}: CPU of both ends`, relayMs / count, 'ms'),
      forInformation(`${of}: CPU of the echo`, echoMs / count, 'ms'),
    );
  }
  const agents = quick ? 50 : 200;
  const back = quick ? 50 : 1_000;
  progress(`${back} agents come back`);
  const fleet = await runCase('relayFleet', { agents: back });
  const [many, restMs, idleMs] = quick ? [100, 5_000, 10_000] : [1_000, 60_000, 240_000];
  progress(`${many} agents rest`);
  const rest = await runCase('relayAtRest', { agents: many, restMs, idleMs });
  progress(`${agents} agents do nothing`);
  const [bare, idle] = [
    await runCase('relayIdle', { transport: 'bare', agents }),
    await runCase('relayIdle', { transport: 'relay', agents }),
  ];
  const of = `${agents} agents`;
  return [
    ...figures,
    atMost(`${back} agents come back unchanged: CPU / bare connect`, fleet.relayMs / fleet.bareMs, 2),
    mustBe(`${back} agents come back unchanged: batches to write and translate`, fleet.batches, 0),
    atMost(
      `${of} idle: resident memory of the server / of one with bare streams`,
      idle.kibibytes / bare.kibibytes,
      1.5,
    ),
    forInformation(`${of} idle: resident memory of the server for each`, idle.kibibytes, 'KiB'),
    forInformation(`${of}: resident memory of the server for a bare stream`, bare.kibibytes, 'KiB'),
    forInformation(`${back} agents idle: memory of JavaScript in the server for each`, fleet.relayKiB, 'KiB'),
    atMost(
      `${many} agents idle, after ${restMs / 1000} s of rest: of one core, what the server takes`,
      rest.core,
      0.005,
    ),
    forInformation(`${back} agents: CPU of a bare connect, both ends`, fleet.bareMs, 'ms'),
    forInformation(`${back} agents: memory of JavaScript in the server for a bare stream`, fleet.bareKiB, 'KiB'),
  ];
}

/** Latency of a change from one agent to another, and into the API server there. */
export async function propagations({ quick, progress }: Suite): Promise<Figure[]> {
  const changes = quick ? 100 : 500;
  progress('a change on its way from one agent to another');
  const reported = await runCase('propagation', { changes, until: 'delivered' });
  progress("a change on its way from one agent to another cluster's API server");
  const { way, hops, write, hopsAndWrite } = await runCase('propagation', { changes, until: 'applied' });
  const of = 'from a change in one cluster to the write in another';
  const toReported = 'from a change in one cluster to its delivery to another agent';
  const spread = (name: string, { p50, p99 }: Spread): Figure[] => [
    forInformation(`${name}: p99`, p99, 'ms'),
    forInformation(`${name}: p50`, p50, 'ms'),
  ];
  return [
    atMost(`${of}: p99 / two raw hops and back`, way.p99 / hops.p99, 5),
    forInformation(`${of}: p99 / two raw hops and back and a raw write`, way.p99 / hopsAndWrite.p99),
    forInformation(`${of}: p50 / two raw hops and back`, way.p50 / hops.p50),
    forInformation(`${of}: p50 / two raw hops and back and a raw write`, way.p50 / hopsAndWrite.p50),
    ...spread(of, way),
    ...spread('two raw hops and back', hops),
    ...spread('a raw write to that API server, until a raw watch event', write),
    ...spread('two raw hops and back and a raw write', hopsAndWrite),
    forInformation(`${toReported}: p99 / two raw hops and back`, reported.way.p99 / reported.hops.p99),
    ...spread(toReported, reported.way),
  ];
}
