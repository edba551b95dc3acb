/** Implements `meshctl logs`: one request, or following. */
import process from 'node:process';
import { serverChoice } from '../commands/options.ts';
import { streamed } from '../output/format.ts';
import { callServer, rejectionOf } from '../server/call-server.ts';
import { type ClusterAnswer, problemsOf, say } from './cluster-states.ts';
import { followLogs } from './follow-logs.ts';
import { type Entry, LogColumns } from './log-columns.ts';
import type { LogsOptions } from './logs-options.ts';

/** @throws InputError */
export async function logs(options: LogsOptions): Promise<void> {
  const choice = serverChoice(options);
  const parameters = parametersOf(options);
  if (options.since !== undefined) parameters.set('since', new Date(Date.now() - options.since).toISOString());
  if (options.follow === true) return followLogs(choice, parameters, options.output);
  const answer = await callServer(choice, `/api/v1/logs?${parameters}`);
  if (!answer.ok) throw rejectionOf(choice, answer);
  const { entries, more, lost, clusters } = answer.body as unknown as Found;
  const { output } = options;
  process.stdout.write(
    output === 'table' ? columns(entries) : entries.map((entry) => streamed(entry, output)).join(''),
  );
  if (more)
    say(
      `more entries match than ${entries.length === 1 ? 'this one' : `these ${entries.length}`}; shorten the time, name one workload, or raise --limit`,
    );
  if (lost > 0) say(`${lost} more were too large to be shown`);
  const problems = problemsOf(clusters);
  for (const problem of problems) say(problem);
  if (problems.length > 0) process.exitCode = 2;
  else if (entries.length === 0)
    say('no entry matches; docs/concepts/observability.md explains which proxies log and which entries are stored');
}

interface Found {
  readonly entries: readonly Entry[];
  readonly more: boolean;
  readonly lost: number;
  readonly clusters: readonly ClusterAnswer[];
}

function columns(entries: readonly Entry[]): string {
  if (entries.length === 0) return '';
  const shown = new LogColumns().measure(entries);
  return [shown.header(), ...entries.map((entry) => shown.line(entry)), ''].join('\n');
}

function parametersOf({ cluster, path, limit, ...options }: LogsOptions): URLSearchParams {
  const parameters = new URLSearchParams(cluster.map((name): [string, string] => ['cluster', name]));
  for (const name of ['workload', 'source', 'destination', 'status', 'method'] as const) {
    const value = options[name];
    if (value !== undefined) parameters.set(name, value);
  }
  if (path !== undefined) parameters.set('path', `${path.replace(/\*$/, '')}*`);
  if (limit !== undefined) parameters.set('limit', String(limit));
  return parameters;
}
