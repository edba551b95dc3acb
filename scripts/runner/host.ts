/** The process around one test file: loads it, runs its suites, records what happens. Runs in Node and in Deno. */
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { OBSERVER, type TestObserver } from '@meshrelay/testing/observer';
import type { TestEvent } from './events.ts';

/** uvu's queue: a suite that called `run()` stands in it as a function that gives errors, passed, skipped, total. */
type QueuedSuite = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;

const [file = '', record = '', linger = '', lifetime = ''] = process.argv.slice(2);
const open = activeResources();
const queue: QueuedSuite[] = [];
const observer: TestObserver = {
  registered: (name, only) => tell({ event: 'registered', name, only }),
  started: (name) => tell({ event: 'started', name }),
};
Object.assign(globalThis, { [OBSERVER]: observer, UVU_DEFER: 1, UVU_QUEUE: [queue], UVU_INDEX: 0 });

// The runner ends what takes too long; this is for when the runner itself was killed.
setTimeout(() => process.exit(1), Number(lifetime)).unref();

run(); // not awaited here: a runtime whose entry waits for a promise may wait for the timer above as well

async function run(): Promise<void> {
  await import(pathToFileURL(file).href);
  for (const suite of queue) {
    const [errors, passed, skipped, total] = await suite();
    if (errors !== true) console.log(errors);
    tell({ event: 'suite', passed, skipped, total });
  }
  tell({ event: 'ended' });
  setTimeout(() => {
    tell({ event: 'lingered', open: without(activeResources(), open) });
    process.exit(1);
  }, Number(linger)).unref();
}

function tell(event: TestEvent): void {
  appendFileSync(record, `${JSON.stringify(event)}\n`);
}

function activeResources(): string[] {
  return process.getActiveResourcesInfo?.() ?? [];
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const rest = [...all];
  for (const each of some) if (rest.includes(each)) rest.splice(rest.indexOf(each), 1);
  return rest;
}
