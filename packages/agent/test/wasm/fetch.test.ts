/**
 * Fetching from malicious hosts (T26): names that resolve to internal addresses, redirects, large files, slow
 * responses.
 */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';
import { AllowList } from '../../src/wasm/fetch/allow-list.ts';
import { type FetchOptions, fetchBytes, fetchFile } from '../../src/wasm/fetch/fetch-bytes.ts';
import { host, MODULE } from './hosts.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'rebinds.example.com': ['127.0.0.1'],
  'mixed.example.com': ['1.1.1.1', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'inside.example.com': ['10.0.0.7'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nowhere.example.com': [],
};

/** The options, and the names that were resolved. */
function options(
  entries: readonly string[],
  changes: Partial<FetchOptions> = {},
): FetchOptions & { resolved: string[] } {
  const resolved: string[] = [];
  return {
    resolved,
    allowed: new AllowList(entries),
    resolve: async (name) => {
      resolved.push(name);
      const found = NAMES[name];
      if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return found;
    },
    signal: new AbortController().signal,
    maxBytes: 1024,
    ...changes,
  };
}

/** Message of the rejection. */
async function rejection(url: string, given: FetchOptions): Promise<string> {
  try {
    await fetchFile(new URL(url), given);
  } catch (error) {
    assert.is((error as Error).name, 'ModuleError');
    return (error as Error).message;
  }
  throw new Error(`${url} was fetched`);
}

test('a file is read completely', async () => {
  await using files = await host((_request, response) => response.end(MODULE));
  const { body } = await fetchFile(new URL(`${files.origin}/a.wasm`), options([files.entry]));
  assert.equal(Buffer.from(body), MODULE);
});

for (const name of ['rebinds', 'mixed', 'metadata', 'inside', 'mapped'])
  test(`a listed name that leads to a non-public address is not called: ${name}`, async () => {
    await using files = await host((_request, response) => response.end(MODULE));
    const { port } = new URL(files.origin);
    const url = `http://${name}.example.com:${port}/a.wasm`;
    const message = await rejection(url, options([`http://${name}.example.com:${port}`]));
    assert.match(message, /is at .*, which is not a public address/);
    assert.equal(files.requested, []);
  });

test('a name is called at the verified address, even if it resolves differently a moment later', async () => {
  await using files = await host((request, response) => response.end(request.headers.host));
  const { port } = new URL(files.origin);
  let reconciles = 0;
  const given = options([`http://rebinds.example.com:${port}`, '127.0.0.1/32'], {
    resolve: async () => (reconciles++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
  });
  const { body } = await fetchFile(new URL(`http://rebinds.example.com:${port}/`), given);
  assert.is(body.toString(), `rebinds.example.com:${port}`, 'the host is asked by its name');
  assert.is(reconciles, 1);
});

test('an unlisted name is not even resolved', async () => {
  const given = options(['modules.example.com']);
  assert.match(await rejection('https://inside.example.com/', given), /add inside\.example\.com to wasm\.hosts/);
  assert.match(await rejection('http://169.254.169.254/latest/meta-data/', given), /add http:\/\/169\.254\.169\.254/);
  assert.equal(given.resolved, []);
});

test('invalid names are reported', async () => {
  assert.match(await rejection('https://unknown.example.com/', options(['*'])), /cannot be resolved \(ENOTFOUND\)/);
  assert.match(await rejection('https://nowhere.example.com/', options(['*'])), /has no address/);
});

for (const [what, target, message] of [
  ['an address of the machine', 'http://169.254.169.254/latest/meta-data/', /add http:\/\/169\.254\.169\.254 to/],
  ['a name that is not listed', 'https://other.example.com/', /add other\.example\.com to/],
  ['a file', 'file:///etc/passwd', /not a supported scheme/],
] as const)
  test(`a redirect to ${what} is not followed`, async () => {
    await using files = await host((_request, response) => response.writeHead(302, { location: target }).end());
    assert.match(await rejection(`${files.origin}/a.wasm`, options([files.entry])), message);
  });

test('a redirect to a listed name with an internal address is not followed', async () => {
  await using files = await host((request, response) =>
    request.url === '/a'
      ? response.writeHead(307, { location: `http://inside.example.com:${new URL(files.origin).port}/b` }).end()
      : response.end(MODULE),
  );
  const given = options([files.entry, `http://inside.example.com:${new URL(files.origin).port}`]);
  assert.match(await rejection(`${files.origin}/a`, given), /inside\.example\.com is at 10\.0\.0\.7/);
  assert.equal(files.requested, ['/a']);
});

test('a redirect is followed, without the credentials for the first host', async () => {
  await using second = await host((request, response) =>
    response.end(request.headers.authorization ?? 'no credentials'),
  );
  await using first = await host((_request, response) =>
    response.writeHead(302, { location: `${second.origin}/b` }).end(),
  );
  const given = options([first.entry, second.entry], { headers: { authorization: 'Bearer secret' } });
  assert.is((await fetchBytes(new URL(`${first.origin}/a`), given)).body.toString(), 'no credentials');
});

test('endless redirects are aborted', async () => {
  await using files = await host((_request, response) => response.writeHead(302, { location: '/again' }).end());
  assert.match(await rejection(`${files.origin}/a`, options([files.entry])), /more than 5 times/);
});

test('a file above the maximum is rejected by its declared size, and by counting', async () => {
  await using sent = await host((_request, response) =>
    response.writeHead(200, { 'content-length': 2000 }).end(Buffer.alloc(2000)),
  );
  assert.match(await rejection(`${sent.origin}/a`, options([sent.entry])), /more than 1024 bytes/);
  let written = 0;
  await using untold = await host((_request, response) => {
    const more = (): void => {
      written += 512;
      if (!response.destroyed && written < 1024 * 1024 * 64) response.write(Buffer.alloc(512), more);
    };
    more();
  });
  assert.match(await rejection(`${untold.origin}/a`, options([untold.entry])), /more than 1024 bytes/);
  assert.ok(written < 1024 * 1024 * 64, 'the reading ended');
});

test('a host that sends unrequested compression is rejected', async () => {
  await using files = await host((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  );
  assert.match(await rejection(`${files.origin}/a`, options([files.entry])), /with Content-Encoding gzip/);
});

test('a host that does not respond, or does not finish, times out', async () => {
  await using silent = await host(() => {});
  const timeoutMs = () => AbortSignal.timeout(100);
  assert.match(
    await rejection(`${silent.origin}/a`, options([silent.entry], { signal: timeoutMs() })),
    /did not answer in time/,
  );
  await using endless = await host((_request, response) => response.writeHead(200).write('x'));
  assert.match(
    await rejection(`${endless.origin}/a`, options([endless.entry], { signal: timeoutMs() })),
    /did not answer in time/,
  );
});

test('other responses are reported', async () => {
  await using files = await host((_request, response) => response.writeHead(404).end());
  assert.match(await rejection(`${files.origin}/a.wasm?token=x`, options([files.entry])), /\/a\.wasm returns 404/);
});

test('no proxy of the environment is used', async () => {
  await using files = await host((_request, response) => response.end(MODULE));
  await using proxy = await host((_request, response) => response.end('from the proxy'));
  const before = { ...process.env };
  Object.assign(process.env, { HTTP_PROXY: proxy.origin, http_proxy: proxy.origin, NODE_USE_ENV_PROXY: '1' });
  try {
    const { body } = await fetchFile(new URL(`${files.origin}/a.wasm`), options([files.entry]));
    assert.equal(Buffer.from(body), MODULE);
    assert.equal(proxy.requested, []);
  } finally {
    process.env = before;
  }
});

test.run();
