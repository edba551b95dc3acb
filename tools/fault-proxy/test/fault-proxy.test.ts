/** Effects of the proxy on connections, observed from both ends. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { assert, eventually, suite } from '@meshrelay/testing';
import { BLACKHOLE, FaultProxy } from '../src/mod.ts';

const proxied = suite('the fault proxy');

/** One end of a connection: the bytes it received, and how it ended. */
class End {
  readonly socket: Socket;
  text = '';
  ended = false;
  error: string | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.text += chunk.toString();
    });
    socket.on('end', () => {
      this.ended = true;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.error = error.code ?? error.message;
    });
  }

  async gets(text: string): Promise<void> {
    await eventually(`${text.length} bytes`, () => this.text === text, { seen: () => this.text.slice(-40) });
  }
}

let server: Server;
let served: End[];
let proxy: FaultProxy;
let client: End;

async function dial(): Promise<End> {
  const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return new End(socket);
}

/** The server's end of the only connection. */
async function there(): Promise<End> {
  return await eventually('the connection to arrive', () => served[0]);
}

proxied.before.each(async () => {
  served = [];
  server = createServer({ allowHalfOpen: true }, (socket) => void served.push(new End(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  proxy = await FaultProxy.start(() => ({ port }));
  client = await dial();
});

proxied.after.each(async () => {
  client.socket.destroy();
  for (const { socket } of served) socket.destroy();
  await proxy[Symbol.asyncDispose]();
  server.close();
});

proxied('passes bytes in both directions, and each end alone', async () => {
  const other = await there();
  client.socket.write('ask');
  await other.gets('ask');
  client.socket.end();
  await eventually('the end to arrive', () => other.ended);
  other.socket.end('answer');
  await client.gets('answer');
  await eventually('the connection to be forgotten', () => proxy.open === 0);
  assert.is(proxy.accepted, 1);
});

proxied('passes many bytes without buffering them', async () => {
  const other = await there();
  const much = 'x'.repeat(3_000_000);
  client.socket.write(much);
  await other.gets(much);
  assert.equal(proxy.bytes, { toServer: 3_000_000, toClient: 0 });
});

proxied('delays bytes, in one direction', async () => {
  const other = await there();
  proxy.setFaults({ toServer: { latency: 60 } });
  const start = performance.now();
  client.socket.write('late');
  await other.gets('late');
  assert.ok(performance.now() - start >= 55);
});

proxied('limits the bandwidth', async () => {
  const other = await there();
  proxy.setFaults({ toServer: { bandwidth: 1_000_000 } });
  const start = performance.now();
  client.socket.write('x'.repeat(200_000));
  await other.gets('x'.repeat(200_000));
  assert.ok(performance.now() - start >= 100, `${performance.now() - start} ms for 200 kB at 1 MB/s`);
});

proxied('is silent: neither end receives bytes or a close, until the fault ends', async () => {
  const other = await there();
  proxy.setFaults(BLACKHOLE);
  client.socket.write('held');
  other.socket.write('back');
  client.socket.end();
  const probe = await dial();
  probe.socket.write('also held');
  await eventually('the other connection to be accepted', () => proxy.accepted === 2);
  assert.equal([other.text, other.ended, client.text], ['', false, '']);
  proxy.setFaults({});
  await other.gets('held');
  await client.gets('back');
  await eventually('the end to arrive', () => other.ended);
  probe.socket.destroy();
});

proxied('is silent one way only', async () => {
  const other = await there();
  proxy.setFaults({ toClient: { silent: true } });
  client.socket.write('ask');
  await other.gets('ask');
  other.socket.write('answer');
  client.socket.write('!');
  await other.gets('ask!');
  assert.is(client.text, '');
  proxy.setFaults({});
  await client.gets('answer');
});

proxied('silences open connections, and passes new ones', async () => {
  const other = await there();
  proxy.freeze();
  client.socket.write('never');
  client.socket.end();
  const next = await dial();
  const nextThere = await eventually('the connection to arrive', () => served[1]);
  next.socket.write('passes');
  await nextThere.gets('passes');
  assert.equal([other.text, other.ended], ['', false]);
  next.socket.destroy();
});

proxied('keeps a dead client from the server while it is silent', async () => {
  const other = await there();
  proxy.setFaults(BLACKHOLE);
  client.socket.resetAndDestroy();
  const next = await dial();
  await eventually('the next connection to be accepted', () => proxy.accepted === 2);
  assert.equal([other.ended, other.error], [false, undefined]);
  next.socket.destroy();
});

proxied('resets open connections, and new ones while it rejects them', async () => {
  const other = await there();
  proxy.reset();
  await eventually('both ends to be reset', () => client.error === 'ECONNRESET' && other.error === 'ECONNRESET');
  proxy.setFaults({ refuse: true });
  // The connection may be reset before this process learned of it.
  const next = new End(connect({ port: proxy.port, host: '127.0.0.1' }));
  await eventually('the new connection to be reset', () => next.error === 'ECONNRESET');
  assert.is(served.length, 1);
});

proxied('resets a connection after a number of bytes', async () => {
  const other = await there();
  proxy.setFaults({ toServer: { resetAfter: 5 } });
  client.socket.write('123456789');
  await eventually('the reset', () => client.error === 'ECONNRESET');
  assert.ok(other.text.length <= 5);
});

proxied('closes in order, and late if requested', async () => {
  const other = await there();
  proxy.close();
  await eventually('both ends', () => client.ended && other.ended);
  const next = await dial();
  const nextThere = await eventually('the connection to arrive', () => served[1]);
  proxy.setFaults({ toServer: { slowClose: 60 } });
  const start = performance.now();
  next.socket.end();
  await eventually('the end to arrive', () => nextThere.ended);
  assert.ok(performance.now() - start >= 55);
  next.socket.destroy();
});

proxied('chooses an upstream for each connection', async () => {
  await there();
  const nowhere = await FaultProxy.start(() => undefined);
  const socket = connect({ port: nowhere.port, host: '127.0.0.1' });
  const end = new End(socket);
  await eventually('the reset', () => end.error === 'ECONNRESET');
  await nowhere[Symbol.asyncDispose]();
});

proxied.run();
