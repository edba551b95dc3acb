/** A proxy as an agent sees it: a stream of access logs from loopback. */
import * as grpc from '@grpc/grpc-js';
import { accessLogService as als, messageFromJson } from '@meshrelay/envoy-api';
import { accessLogService } from '@meshrelay/envoy-api/services';

export interface Sent {
  readonly path: string;
  readonly status?: number;
}

export class LogSender implements Disposable {
  readonly #client: grpc.Client;
  readonly #stream: grpc.ClientWritableStream<als.StreamAccessLogsMessage>;
  #named = false;

  /** @param port of the agent's replica, on loopback */
  constructor(port: number) {
    this.#client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const { path, requestSerialize, responseDeserialize } = accessLogService.streamAccessLogs;
    this.#stream = this.#client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, () => undefined);
    // Agents are killed while it sends.
    this.#stream.on('error', () => undefined);
  }

  /** Resolves when the entries are sent. */
  async send(...entries: readonly Sent[]): Promise<void> {
    const message = messageFromJson(als.StreamAccessLogsMessageSchema, {
      ...(this.#named ? {} : { identifier: { node: { id: 'n', cluster: 'n' }, log_name: 'inbound' } }),
      http_logs: {
        log_entry: entries.map(({ path, status = 200 }) => ({
          common_properties: { start_time: new Date().toISOString(), duration: '0.012s' },
          request: { request_method: 'GET', path },
          response: { response_code: status },
        })),
      },
    });
    this.#named = true;
    if (!this.#stream.write(message)) await new Promise((resume) => this.#stream.once('drain', resume));
  }

  [Symbol.dispose](): void {
    this.#stream.cancel();
    this.#client.close();
  }
}
