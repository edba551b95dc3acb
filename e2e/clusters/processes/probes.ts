/** Probes of a container, in the order and with the thresholds of a kubelet. */
import { get } from 'node:http';
import { connect } from 'node:net';
import type { Container, Probe } from './pod.ts';

const PERIOD_SECONDS = 10;
const TIMEOUT_SECONDS = 1;
const FAILURES = 3;

export interface Probed {
  /** Whether its startup probe has succeeded. */
  readonly started: boolean;
  readonly ready: boolean;
}

/** Probes a container until it is disposed. */
export class Probes implements Disposable {
  readonly #container: Container;
  readonly #address: string;
  readonly #changed: (probed: Probed) => void;
  readonly #failed: (reason: string) => void;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #stopped = false;
  #probed: Probed = { started: false, ready: false };

  /**
   * @param changed called with each new result
   * @param failed called when the startup or liveness probe has failed too often: the container must restart
   */
  constructor(
    container: Container,
    address: string,
    changed: (probed: Probed) => void,
    failed: (reason: string) => void,
  ) {
    this.#container = container;
    this.#address = address;
    this.#changed = changed;
    this.#failed = failed;
    this.#begin();
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #begin(): void {
    const { startupProbe, readinessProbe, livenessProbe } = this.#container;
    const onStart = (): void => {
      this.#set({ started: true, ready: readinessProbe === undefined });
      if (readinessProbe !== undefined) this.#repeat(readinessProbe, (ready) => this.#set({ started: true, ready }));
      if (livenessProbe !== undefined)
        this.#repeat(livenessProbe, (alive) => {
          if (!alive) this.#failed('the liveness probe failed');
        });
    };
    if (startupProbe === undefined) {
      onStart();
      return;
    }
    this.#repeat(startupProbe, (succeeded) => {
      if (succeeded) onStart();
      else this.#failed('the startup probe failed');
      return 'end';
    });
  }

  /** @param report called after a success, and after as many failures in sequence as the threshold */
  #repeat(probe: Probe, report: (succeeded: boolean) => unknown): void {
    const { periodSeconds = PERIOD_SECONDS, failureThreshold = FAILURES } = probe;
    let failures = 0;
    const run = async (): Promise<void> => {
      const succeeded = await succeeds(probe, this.#container, this.#address);
      if (this.#stopped) return;
      failures = succeeded ? 0 : failures + 1;
      const isDecided = succeeded || failures >= failureThreshold;
      if (isDecided && report(succeeded) === 'end') return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        start();
      }, periodSeconds * 1000);
      this.#timers.add(timer);
    };
    const start = (): void => void run().catch((error: Error) => this.#failed(error.message));
    start();
  }

  #set(probed: Probed): void {
    const { started, ready } = this.#probed;
    if (started === probed.started && ready === probed.ready) return;
    this.#probed = probed;
    this.#changed(probed);
  }
}

/** @throws Error for a type of probe that is not supported */
function succeeds(probe: Probe, container: Container, address: string): Promise<boolean> {
  const { httpGet, tcpSocket, timeoutSeconds = TIMEOUT_SECONDS } = probe;
  const timeout = timeoutSeconds * 1000;
  if (httpGet !== undefined) {
    const { path = '/', port } = httpGet;
    return answers(`http://${address}:${portOf(port, container)}${path}`, timeout);
  }
  if (tcpSocket !== undefined) return accepts(address, portOf(tcpSocket.port, container), timeout);
  throw new Error(
    `container ${container.name} has a probe of a type that is not supported; expected httpGet or tcpSocket`,
  );
}

/** The number of a port. @throws Error if no port of the container has the name */
export function portOf(port: number | string, { name, ports = [] }: Container): number {
  if (typeof port === 'number') return port;
  const found = ports.find((each) => each.name === port);
  if (found === undefined) throw new Error(`container ${name} has no port named ${port}, which a probe names`);
  return found.containerPort;
}

function answers(url: string, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout }, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      resolve(statusCode >= 200 && statusCode < 400);
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', () => resolve(false));
  });
}

function accepts(host: string, port: number, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const end = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
