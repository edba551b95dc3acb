/**
 * Access logs from end to end, with real programs: proxy, agent replicas, server, meshctl; with killed replicas and
 * slow readers.
 */
import { until } from '@meshrelay/local-fleet';
import { assert, test } from '@meshrelay/testing';
import { Meshctl, pathsIn } from './meshctl-follow.ts';
import { ObservedFleet, type ObservedReplica, TIMEOUT_MS } from './observed-fleet.ts';

const fleet = await ObservedFleet.start(['agent-0', 'agent-1']);
test.after(() => fleet[Symbol.asyncDispose]());
const SERVER = ['--server', fleet.url];

async function other(leader: ObservedReplica): Promise<ObservedReplica> {
  const found = [...fleet.replicas.values()].find((each) => each !== leader && each.program.running);
  if (found === undefined) throw new Error('there is no follower');
  return found;
}

/** Retries until all replicas answer, which they do once they have the keys. */
async function search(...args: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  let seen = '';
  return until('every replica to answer', { ...TIMEOUT_MS, missing: () => seen }, async () => {
    const { code, stdout, stderr } = await Meshctl.run('logs', ...args, ...SERVER);
    seen = stderr;
    return code === 0 ? { stdout, stderr } : undefined;
  });
}

test('entries that any replica received are found, and others are not', async () => {
  const leader = await fleet.leader();
  const follower = await other(leader);
  await leader.sender.send({ path: '/leader/1' }, { path: '/leader/2', status: 503 });
  await follower.sender.send({ path: '/follower/1' }, { path: '/follower/2', status: 500 });
  const found = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await search('-o', 'json', ...args);
    return pathsIn(stdout).sort();
  };
  await until('all four', TIMEOUT_MS, async () => ((await found()).length === 4 ? true : undefined));
  assert.equal(await found('--status', '5xx'), ['/follower/2', '/leader/2']);
  assert.equal(await found('--path', '/follower', '--status', '<500'), ['/follower/1']);
  const { stdout } = await search('--limit', '1');
  assert.match(stdout, /^TIME +CLUSTER .*\n\S+Z +cluster-1 /);
});

test('calls are counted over both replicas', async () => {
  const { stdout } = await Meshctl.run('top', '-o', 'json', ...SERVER);
  const { clusters } = JSON.parse(stdout) as { clusters: { cluster: string; replicas: object[] }[] };
  assert.equal(
    clusters.map(({ cluster, replicas }) => [cluster, replicas.length]),
    [['cluster-1', 2]],
  );
});

test('a tail continues when a follower is killed, when another starts, and when the leader is killed', async () => {
  const leader = await fleet.leader();
  const follower = await other(leader);
  await using tail = new Meshctl('logs', '-f', '-o', 'json', '--path', '/tail', ...SERVER);
  let sent = 0;
  /** Sends entries until the tail shows one: before the tail has begun, it shows nothing. */
  const shows = async (replica: ObservedReplica): Promise<void> => {
    const path = `/tail/${replica.name}/${sent++}/`;
    await until(`${path} in the tail`, { ...TIMEOUT_MS, missing: () => tail.stderr }, async () => {
      await replica.sender.send({ path: `${path}${sent++}` });
      return tail.paths.some((each) => each.startsWith(path)) ? true : undefined;
    });
  };
  await shows(leader);
  await shows(follower);
  follower.program.signal('SIGKILL');
  await tail.until('that it is missed', ({ stderr }) => stderr.includes(`replica ${follower.name} does not answer`));
  await shows(leader);
  const next = await fleet.startReplica('agent-2');
  await shows(next);
  leader.program.signal('SIGKILL');
  await tail.until('that the leader is missed', ({ stderr }) =>
    /cluster-1: the agent .*|cluster-1: .*asked again/.test(stderr),
  );
  await shows(next);
  assert.is(new Set(tail.paths).size, tail.paths.length, 'nothing was shown twice');
});

test('a reader that does not read costs little, and gets a report of all that it lost', async () => {
  const leader = await fleet.leader();
  const memory = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${leader.statsPort}/metrics`)).text();
    return Number(/^\w*process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
  };
  const response = await fetch(`${fleet.url}/api/v1/logs?follow&path=/flood*`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let [reported, lost, dropped] = [0, 0, 0];
  const answered = new Set<string>();
  /** Counts the events of the next chunk. */
  const read = async (): Promise<void> => {
    const events = `${rest}${(await reader?.read())?.value ?? ''}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const {
        entries = [],
        lost: more = 0,
        replicas = [],
      } = JSON.parse(/^data: (.+)$/m.exec(event)?.[1] ?? '{}') as Reported;
      reported += entries.length;
      lost += more;
      for (const each of replicas) answered.add(each.replica);
      dropped = Math.max(dropped, ...replicas.map((each) => each.dropped ?? 0));
    }
  };
  // The tail is established when the agent has reported the answering replicas.
  while (!answered.has(leader.name)) await read();
  const before = await memory();
  const flood = `/flood/${'x'.repeat(4_000)}`;
  const [batch, sent] = [50, 10_000];
  for (let at = 0; at < sent; at += batch)
    await leader.sender.send(...Array.from({ length: batch }, () => ({ path: flood })));
  while (reported + lost + dropped < sent) await read();
  assert.is(reported + lost + dropped, sent);
  assert.ok(lost > 2_000, JSON.stringify({ reported, lost, dropped }));
  const grown = ((await memory()) - before) / 2 ** 20;
  assert.ok(grown < 250, `the agent grew by ${grown} MiB`);
  await reader?.cancel();
});

interface Reported {
  readonly entries?: readonly object[];
  readonly lost?: number;
  readonly replicas?: ReadonlyArray<{ readonly replica: string; readonly dropped?: number }>;
}

test.run();
