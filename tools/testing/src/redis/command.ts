/**
 * Sends one command to a Redis over its own connection, for tests that change a server without the product's knowledge.
 */
import { connect, type Socket } from 'node:net';

/** A reply of Redis: text, a number, null, or a list of those. */
export type RedisReply = string | number | null | readonly RedisReply[];

/** Milliseconds until a reply must arrive. */
const ANSWER_WITHIN = 30_000;

/**
 * Sends one command. Bytes are returned as latin1 text, one character per byte.
 * @throws Error with Redis's message if it replies with an error, or if no reply arrives
 */
export async function redisCommand(port: number, ...words: readonly (string | Uint8Array)[]): Promise<RedisReply> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    return await answerOf(socket, encode(words));
  } finally {
    socket.destroy();
  }
}

function encode(words: readonly (string | Uint8Array)[]): Uint8Array {
  const parts = words.flatMap((word) => {
    const bytes = Buffer.from(word as string);
    return [Buffer.from(`$${bytes.byteLength}\r\n`), bytes, Buffer.from('\r\n')];
  });
  return Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...parts]);
}

function answerOf(socket: Socket, request: Uint8Array): Promise<RedisReply> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.setTimeout(ANSWER_WITHIN, () => reject(new Error(`Redis did not answer within ${ANSWER_WITHIN} ms`)));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Redis closed the connection without an answer')));
    socket.on('data', (more: string) => {
      text += more;
      try {
        const reply = parse(text, 0);
        if (reply !== undefined) resolve(reply.value);
      } catch (error) {
        reject(error);
      }
    });
    socket.write(request);
  });
}

/** The reply that begins at `at`, and its end; undefined while it is incomplete. */
function parse(text: string, at: number): { readonly value: RedisReply; readonly end: number } | undefined {
  const line = text.indexOf('\r\n', at);
  if (line === -1) return undefined;
  const head = text.slice(at + 1, line);
  const after = line + 2;
  switch (text[at]) {
    case '+':
      return { value: head, end: after };
    case '-':
      throw new Error(head);
    case ':':
      return { value: Number(head), end: after };
    case '$': {
      const end = after + Number(head);
      if (head === '-1') return { value: null, end: after };
      return text.length < end + 2 ? undefined : { value: text.slice(after, end), end: end + 2 };
    }
    case '*':
      return head === '-1' ? { value: null, end: after } : parseList(text, after, Number(head));
    default:
      throw new Error(`Redis sent a malformed reply: ${JSON.stringify(text.slice(at, at + 40))}`);
  }
}

function parseList(
  text: string,
  at: number,
  count: number,
): { readonly value: RedisReply; readonly end: number } | undefined {
  const value: RedisReply[] = [];
  let end = at;
  for (let index = 0; index < count; index += 1) {
    const item = parse(text, end);
    if (item === undefined) return undefined;
    value.push(item.value);
    end = item.end;
  }
  return { value, end };
}
