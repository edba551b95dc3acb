/** A process that hosts simulated agents; the load's director controls it over IPC. Ends with the director. */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Order, Report } from './messages.ts';
import { SimulatedAgent } from './simulated-agent.ts';

/** Milliseconds between rounds of changes. */
const ROUND = 20;
const stop = new AbortController();
let agents: readonly SimulatedAgent[] = [];

function report(report: Report): void {
  process.send?.(report);
}

/** Milliseconds until every agent must be settled. */
async function settle(): Promise<number> {
  const start = performance.now();
  while (!agents.every(({ settled }) => settled)) await pause(ROUND);
  return performance.now() - start;
}

async function churn(perSecond: number, seconds: number): Promise<void> {
  const start = performance.now();
  const times: number[] = [];
  let deltas = 0;
  const check = (): void => {
    for (const agent of agents) {
      const took = agent.answered();
      if (took !== undefined) times.push(took);
    }
  };
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    for (; deltas < elapsed * perSecond; deltas++) changeOne(deltas);
    check();
    await pause(ROUND);
  }
  await settle();
  check();
  const revisions = Object.fromEntries(agents.map(({ cluster, revisions: each }) => [cluster, each]));
  report({ report: 'churned', deltas, answers: percentiles(times), revisions });
}

/** Iterates over all agents, and over each agent's objects. */
function changeOne(number: number): void {
  const agent = agents[number % agents.length];
  agent?.change(Math.floor(number / agents.length) % agent.revisions.length);
}

function percentiles(times: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

process.on('message', (order: Order) => {
  if (order.order === 'connect') {
    const { roots, key, objects } = order;
    agents = order.agents.map((plan) => new SimulatedAgent({ ...plan, roots, key, objects, signal: stop.signal }));
    void settle().then((milliseconds) => report({ report: 'settled', milliseconds }));
    return;
  }
  void churn(order.perSecond, order.seconds);
});
process.on('disconnect', () => process.exit(0));
