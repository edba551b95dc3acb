/** Format of a log line. */
import { assert, test } from '@meshrelay/testing';
import { createLogger, type LoggerOptions, silentLogger } from '../src/mod.ts';

function recorder(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: createLogger({ name: 'agent', destination, now: () => 1_700_000_000_123, ...options }) };
}

test('a line is level, ts in seconds, logger, msg, then fields', () => {
  const { lines, logger } = recorder();
  logger.child('relay', { cluster: 'c1' }).warn('stream closed', { code: 14 });
  assert.equal(lines, [
    '{"level":"warn","ts":1700000000.123,"logger":"agent.relay","msg":"stream closed","cluster":"c1","code":14}\n',
  ]);
});

test('levels below the set one are not written', () => {
  for (const [level, count] of [
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ] as const) {
    const { lines, logger } = recorder({ level });
    logger.debug('d');
    logger.info('i');
    logger.warn('w');
    logger.error('e');
    assert.is(lines.length, count);
    assert.is(logger.enabled('info'), count >= 3);
  }
});

test('children of children add names and fields; a later field wins', () => {
  const { lines, logger } = recorder();
  logger.child('a', { x: 1, y: 1 }).child('b').with({ y: 2 }).info('m', { z: 3 });
  assert.equal(JSON.parse(lines[0] ?? ''), {
    level: 'info',
    ts: 1_700_000_000.123,
    logger: 'agent.a.b',
    msg: 'm',
    x: 1,
    y: 2,
    z: 3,
  });
});

test('a field cannot replace a part of the line', () => {
  const { lines, logger } = recorder();
  logger.info('true', { msg: 'false', level: 'error', ts: 0, logger: 'other' });
  assert.match(lines[0] ?? '', /^\{"level":"info","ts":1700000000.123,"logger":"agent","msg":"true",/);
  assert.match(lines[0] ?? '', '"msg_":"false","level_":"error","ts_":0,"logger_":"other"}');
});

test('an error is logged with type, message, code, stack and cause', () => {
  const { lines, logger } = recorder();
  const cause = new TypeError('inner');
  logger.error('apply failed', { error: Object.assign(new Error('outer', { cause }), { code: 'RELAY_E_X' }) });
  const { error } = JSON.parse(lines[0] ?? '');
  assert.is(error.type, 'Error');
  assert.is(error.message, 'outer');
  assert.is(error.code, 'RELAY_E_X');
  assert.match(error.stack, 'logger.test.ts');
  assert.is(error.cause.type, 'TypeError');
});

test('a message with percent signs and new lines is one line, unchanged', () => {
  const { lines, logger } = recorder();
  logger.info('100 %s\n{"level":"error"}');
  assert.is(JSON.parse(lines[0] ?? '').msg, '100 %s\n{"level":"error"}');
  assert.is((lines[0] ?? '').indexOf('\n'), (lines[0] ?? '').length - 1);
});

test('audit records are written at any level, by child loggers, too', () => {
  for (const level of ['warn', 'silent'] as const) {
    const lines: string[] = [];
    const logger = createLogger({ name: 'server', level, destination: { write: (line) => lines.push(line) } });
    logger.child('audit', { replica: 'r' }).always().with({ a: 1 }).info('done', { token: 'canary' });
    logger.info('other');
    assert.is(lines.length, 1);
    const { ts: _, ...line } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    assert.equal(line, { level: 'info', logger: 'server.audit', msg: 'done', replica: 'r', a: 1, token: '[redacted]' });
    assert.ok(logger.always().enabled('debug'));
    assert.not(logger.enabled('info'));
  }
  assert.not(silentLogger.always().enabled('error'));
});

test('the silent logger is a logger', () => {
  silentLogger.child('x').with({ a: 1 }).error('nothing');
  assert.not(silentLogger.enabled('error'));
});

test.run();
