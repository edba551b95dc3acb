/** The program from its configuration to its end, as its README shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { readConfig } from '../../src/program/config.ts';
import { run } from '../../src/program/run.ts';
import { SILENT } from '../../src/service/service-log.ts';
import { alsMessage } from '../support/als-message.ts';
import { logClient } from '../support/log-server.ts';
import { request } from '../support/sinks.ts';

const waiting = { deadline: 60_000 };
/** The configuration in the README. */
const EXAMPLE =
  /```yaml\n([\s\S]*?)```/.exec(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'))?.[1] ?? '';

test("the README's configuration works: entries are served over HTTP, counted, and written to the file", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'access.log');
  const args = ['--config', 'sink.yaml', '--listen', '127.0.0.1:0', '--http', '127.0.0.1:0', '--file', file];
  const config = readConfig(args, () => EXAMPLE.replace('10.0.0.7', '127.0.0.1'));
  assert.ok(typeof config === 'object');
  const running = await run(config, SILENT);
  const get = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${running.httpPort}${path}`)).text();
  const client = logClient(running.port);
  client.send(alsMessage([request('/ok', 200), request('/bad?x', 503)], { node: 'n', logName: 'inbound' }));
  client.end();
  assert.is(await client.ended, 0);
  const [line = '', ...more] = (await get('/logs?status=5xx&path=/bad&workload=reviews.bookinfo')).trim().split('\n');
  assert.is(more.length, 0);
  const entry = JSON.parse(line) as Record<string, unknown>;
  assert.equal([entry['path'], entry['status'], entry['cluster']], ['/bad?x', 503, 'cluster-1']);
  assert.is((await get('/logs')).trim().split('\n').length, 1, 'the rule keeps errors only');
  assert.match(await get('/logs?status=many'), /expected 503, 5xx, 400-499 or >=500/);
  const metrics = await get('/metrics');
  assert.match(metrics, /^meshrelay_access_log_entries_filtered_total 1$/m);
  assert.match(metrics, /^meshrelay_edge_requests_total\{.*destination_workload="reviews".*code="5xx"\} 1$/m);
  assert.is((await get('/readyz')).trim(), 'ready');
  await running[Symbol.asyncDispose]();
  assert.is(readFileSync(file, 'utf8').trim(), line);
  client.close();
});

test('a follower receives entries as they come, until it or the program ends', async () => {
  const config = readConfig(['--listen', '127.0.0.1:0', '--http', '127.0.0.1:0']);
  assert.ok(typeof config === 'object');
  const running = await run(config, SILENT);
  const { body } = await fetch(`http://127.0.0.1:${running.httpPort}/logs?follow&path=/a*`);
  let heard = '';
  const read = (async () => {
    for await (const chunk of body ?? []) heard += Buffer.from(chunk).toString();
  })();
  const client = logClient(running.port);
  client.send(alsMessage([request('/a/1'), request('/b')], { node: 'n', logName: 'l' }));
  await eventually('it heard', () => heard.includes('/a/1'), waiting);
  client.end();
  assert.is(await client.ended, 0);
  await running[Symbol.asyncDispose]();
  await read.catch(() => undefined);
  assert.not(heard.includes('"/b"'));
  client.close();
});

for (const [what, yaml, message] of [
  ['an unknown field', 'lisen: 1', /lisen/],
  ['an address without a port', 'listen: localhost', /listen: expected HOST:PORT/],
  [
    'an expression that could run long',
    'rules: [{filters: [{headerMatcher: {name: x, value: "(a+)+", regex: true}}]}]',
    /rules.0.filters.0.headerMatcher.value: .*repeats a group/,
  ],
  ['a filter of nothing', 'rules: [{filters: [{}]}]', /rules.0.filters.0: expected one of/],
  ['a list', '[]', /expected a map/],
] as const)
  test(`${what} in the configuration is rejected by name`, () => {
    assert.throws(() => readConfig(['--config', 'f'], () => yaml), message);
  });

test.run();
