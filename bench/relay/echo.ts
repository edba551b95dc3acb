/** The baseline of the relay: bare grpc-js with client certificates, every message echoed. */
import type { Buffer } from 'node:buffer';
import { type BareCall, type BareClient, type BareServer, openBare, serveBare } from '../bare-grpc.ts';
import type { BenchAuthority, Credential } from './authority.ts';

const PATH = '/bench.Echo/Echo';
const OPTIONS = { 'grpc-node.flow_control_window': 4 * 1024 * 1024, 'grpc.enable_channelz': 0 };

export function startEcho({ server: tls }: BenchAuthority): Promise<BareServer> {
  return serveBare(tls, { [PATH]: echo }, OPTIONS);
}

export function echoTo(address: string, roots: string, credential: Credential): BareClient {
  return openBare({ address, roots, credential, path: PATH, channel: OPTIONS });
}

function echo(call: BareCall): void {
  call.on('data', (bytes: Buffer) => {
    if (!call.write(bytes)) {
      call.pause();
      call.once('drain', () => call.resume());
    }
  });
  call.on('end', () => call.end());
}

/** Sends `count` messages and waits for all echoes. */
export function echoed({ call }: BareClient, message: Buffer, count: number): Promise<void> {
  return new Promise((resolve) => {
    let [sent, back] = [0, 0];
    const write = (): void => {
      while (sent < count) {
        sent++;
        if (!call.write(message)) {
          call.once('drain', write);
          return;
        }
      }
    };
    const heard = (): void => {
      back++;
      if (back < count) return;
      call.off('data', heard);
      resolve();
    };
    call.on('data', heard);
    write();
  });
}
