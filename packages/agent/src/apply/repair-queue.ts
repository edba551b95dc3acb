/** Objects that are not as they should be, each put right at once, and ever more slowly where somebody keeps undoing it. */
import { Backoff, type Clock } from '@meshrelay/kube';
import type { Outcome, Subject } from './object-writer.ts';

export interface RepairQueueOptions {
  readonly repair: (subject: Subject) => Promise<Outcome>;
  /** The queue's work ended by an error; nothing of that object is tried until it is added again. */
  readonly onError: (error: unknown, subject: Subject) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Pauses after a repair of the same object, in milliseconds. */
const PAUSES = { first: 500, longest: 20_000 };
/** After this long without a repair an object counts as calm again, in milliseconds. */
const CALM = 60_000;

interface Patient {
  readonly subject: Subject;
  readonly backoff: Backoff;
  ready: number;
  due: boolean;
  working: boolean;
}

export class RepairQueue implements AsyncDisposable {
  readonly #options: RepairQueueOptions;
  readonly #patients = new Map<string, Patient>();
  readonly #stop = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(options: RepairQueueOptions) {
    this.#options = options;
  }

  /** Objects that wait to be put right, or are being so. */
  get depth(): number {
    return this.#work.size;
  }

  /** Objects that somebody keeps changing, or that cannot be put right. */
  get contested(): number {
    return this.#patients.values().reduce((count, { backoff }) => count + Number(backoff.failures > 1), 0);
  }

  /** The object needs a look: at once, or when the pause after its last repair is over. */
  add(subject: Subject): void {
    const patient = this.#patient(subject);
    if (this.#options.clock.now() - patient.ready > CALM) patient.backoff.reset();
    this.#begin(patient);
  }

  /** What was tried elsewhere just now failed: the object is looked at again after a pause. */
  retry(subject: Subject): void {
    const patient = this.#patient(subject);
    if (!patient.due) patient.ready = this.#options.clock.now() + patient.backoff.next();
    this.#begin(patient);
  }

  /** Begins nothing more; resolves when what is under way has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#work);
  }

  #patient(subject: Subject): Patient {
    const { random } = this.#options;
    const known = this.#patients.get(subject.id);
    if (known !== undefined) return known;
    const patient = { subject, backoff: new Backoff({ ...PAUSES, random }), ready: 0, due: false, working: false };
    this.#patients.set(subject.id, patient);
    return patient;
  }

  #begin(patient: Patient): void {
    if (this.#stop.signal.aborted) return;
    patient.due = true;
    if (patient.working) return;
    patient.working = true;
    const work = this.#treat(patient).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #treat(patient: Patient): Promise<void> {
    const { repair, onError, clock } = this.#options;
    const { signal } = this.#stop;
    while (patient.due && !signal.aborted) {
      const pause = patient.ready - clock.now();
      if (pause > 0) await clock.sleep(pause, signal);
      if (signal.aborted) break;
      patient.due = false;
      try {
        const outcome = await repair(patient.subject);
        if (outcome.result === 'unchanged') continue;
        patient.ready = clock.now() + patient.backoff.next();
        patient.due ||= outcome.result === 'failed' && outcome.retry;
      } catch (error) {
        onError(error, patient.subject);
      }
    }
    patient.working = false;
    if (patient.backoff.failures === 0) this.#patients.delete(patient.subject.id);
  }
}
