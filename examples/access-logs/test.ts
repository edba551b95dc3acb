/** Sends what an Envoy sends, and reads what is printed. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Client, credentials } from '@grpc/grpc-js';
import { create, accessLogService as messages } from '@meshrelay/envoy-api';
import { accessLogService } from '@meshrelay/envoy-api/services';

const program = spawn(process.execPath, ['main.ts'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'pipe'],
});
const printed = createInterface({ input: program.stdout });
const said = createInterface({ input: program.stderr });
const [started] = await once(said, 'line');
const [, port] = /port (\d+)$/.exec(String(started)) ?? [];
assert.ok(port !== undefined, String(started));

const entry = (path: string, code: number) => ({ request: { path }, response: { responseCode: code } });
const message = create(messages.StreamAccessLogsMessageSchema, {
  identifier: { node: { id: 'reviews-1' }, logName: 'inbound' },
  logEntries: { case: 'httpLogs', value: { logEntry: [entry('/ok', 200), entry('/broken', 503)] } },
});
const { path, requestSerialize, responseDeserialize } = accessLogService.streamAccessLogs;
const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, () => undefined);
call.write(message);

const [line] = await once(printed, 'line');
assert.match(String(line), /"path":"\/broken"/);
const summary = once(said, 'line');
program.kill('SIGTERM');
assert.match(String(await summary), /^2 entries received, 0 dropped$/);
await once(program, 'exit');
client.close();
assert.equal(program.exitCode, 0);
console.log('passed: the failed request was printed, the other one was not');
